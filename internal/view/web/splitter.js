// splitter.js is the bar between a view and the pane next to it.

import { el } from "gamedissect/dom";

// splitter changes the size of the element that follows it: the height if that element is below, and otherwise the
// width.
export function splitter(pane) {
	const below = () => getComputedStyle(pane.parentElement).flexDirection === "column";
	const set = (pixels) => {
		const whole = pane.parentElement.getBoundingClientRect();
		pane.style.setProperty("flex-basis", Math.max(120, pixels) + "px");
		bar.setAttribute("aria-valuenow", Math.round(100 * pixels / (below() ? whole.height : whole.width)));
	};
	const bar = el("div", {
		class: "splitter", role: "separator", tabindex: "0", "aria-label": "Size of the message's pane",
		"aria-orientation": "vertical", "aria-valuenow": "40",
		onpointerdown: (event) => {
			bar.setPointerCapture(event.pointerId);
			event.preventDefault();
		},
		onpointermove: (event) => {
			if (bar.hasPointerCapture(event.pointerId)) {
				const whole = pane.parentElement.getBoundingClientRect();
				set(below() ? whole.bottom - event.clientY : whole.right - event.clientX);
			}
		},
		onkeydown: (event) => {
			const step = { ArrowLeft: 24, ArrowUp: 24, ArrowRight: -24, ArrowDown: -24 }[event.key];
			if (step) {
				const now = pane.getBoundingClientRect();
				set((below() ? now.height : now.width) + step);
				event.preventDefault();
				event.stopPropagation();
			}
		},
	});
	return bar;
}
