// strip.js shows the number of messages over the whole time. A brush marks the visible part.

import { sums } from "gamedissect/column";
import { el } from "gamedissect/dom";
import { seconds } from "gamedissect/format";
import { colours, onTheme, sharp, soon } from "gamedissect/paint";

const height = 44;

// strip returns the element above the time line.
export function strip(app, times) {
	const canvas = el("canvas", {});
	const element = el("div", {
		class: "strip", role: "slider", tabindex: "0", "aria-label": "Visible part of the time", "aria-valuemin": "0",
		title: "Messages over time. Drag the frame to move, its edges to zoom; drag outside it to select another part",
	}, canvas);
	const x = (time) => time / times.bounds[1] * element.clientWidth;
	const time = (at) => Math.max(0, Math.min(1, at / Math.max(element.clientWidth, 1))) * times.bounds[1];
	const draw = soon(() => {
		if (element.clientWidth === 0) {
			return;
		}
		const c = colours();
		const context = sharp(canvas, element.clientWidth, height);
		for (const [rates, colour] of [[times.rates, c.line], [times.sifted, c.accent]]) {
			bars(context, rates, colour, times.rates, x);
		}
		if (app.range) {
			context.globalAlpha = 0.2;
			context.fillStyle = c.accent;
			context.fillRect(x(app.range[0]), 0, Math.max(x(app.range[1]) - x(app.range[0]), 1), height);
			context.globalAlpha = 1;
		}
		const [from, to] = times.sight.map(x);
		context.fillStyle = c.ground;
		context.globalAlpha = 0.65;
		context.fillRect(0, 0, from, height);
		context.fillRect(to, 0, element.clientWidth, height);
		context.globalAlpha = 1;
		context.strokeStyle = c.accent;
		context.lineWidth = 1.5;
		context.strokeRect(from + 0.75, 0.75, Math.max(to - from - 1.5, 2), height - 1.5);
	});
	const told = () => {
		element.setAttribute("aria-valuemax", times.bounds[1].toFixed(6));
		element.setAttribute("aria-valuenow", times.sight[0].toFixed(6));
		element.setAttribute("aria-valuetext", "from " + seconds(times.sight[0]) + " to " + seconds(times.sight[1]) + " seconds");
		draw();
	};
	times.addEventListener("sight", told);
	times.addEventListener("rates", draw);
	app.addEventListener("range", draw);
	onTheme(draw);
	new ResizeObserver(draw).observe(element);
	brush(element, times, x, time);
	told();
	return element;
}

function bars(context, rates, colour, all, x) {
	if (!rates || !all) {
		return;
	}
	const counts = ({ series }) => sums(series.map((one) => one.counts));
	const most = Math.max(1, ...counts(all));
	context.fillStyle = colour;
	for (const [i, n] of counts(rates).entries()) {
		if (n > 0) {
			const from = x(rates.from + i * rates.interval);
			const high = Math.max(1, Math.sqrt(n / most) * (height - 6)); // the square root keeps small values visible
			context.fillRect(from, height - high, Math.max(x(rates.from + (i + 1) * rates.interval) - from, 1), high);
		}
	}
}

// brush lets the pointer and keys move the visible part.
function brush(strip, times, x, time) {
	let drag = null;
	strip.addEventListener("pointerdown", (event) => {
		const at = event.clientX - strip.getBoundingClientRect().left;
		const [from, to] = times.sight.map(x);
		const edge = Math.abs(at - from) < 6 ? 0 : Math.abs(at - to) < 6 ? 1 : -1;
		const whole = to - from >= strip.clientWidth - 2;
		drag = edge >= 0 && !whole ? { fixed: times.sight[1 - edge] } : at > from && at < to && !whole ? { last: at } : { fixed: time(at) };
		strip.setPointerCapture(event.pointerId);
	});
	strip.addEventListener("pointermove", (event) => {
		if (!drag || !strip.hasPointerCapture(event.pointerId)) {
			return;
		}
		const at = event.clientX - strip.getBoundingClientRect().left;
		if (drag.fixed === undefined) {
			times.pan(time(at) - time(drag.last));
			drag.last = at;
		} else if (Math.abs(x(drag.fixed) - at) > 3) {
			times.see([drag.fixed, time(at)].sort((a, b) => a - b));
		}
	});
	strip.addEventListener("pointerup", () => {
		drag = null;
	});
	strip.addEventListener("dblclick", () => times.see(times.bounds));
	strip.addEventListener("keydown", (event) => {
		const width = times.sight[1] - times.sight[0];
		const act = {
			ArrowRight: () => times.pan(width / 10), ArrowLeft: () => times.pan(-width / 10), Home: () => times.pan(-Infinity),
			End: () => times.pan(Infinity), "+": () => times.zoom(0.5), "-": () => times.zoom(2),
		}[event.key];
		if (act) {
			act();
			event.preventDefault();
			event.stopPropagation();
		}
	});
}
