// feed.js is the list of a game's events that scrolls during a playback. It creates elements only for visible lines.

import { el } from "gamedissect/dom";
import { lastAt } from "gamedissect/column";
import { clockTime } from "gamedissect/scrubber";

const high = 24; // height of a line in pixels, see world.css

// feed lists events. It calls choose(event) when the user clicks an event.
export function feed(choose) {
	const room = el("div", { class: "room" });
	const scroll = el("div", { class: "feed", role: "list", "aria-label": "What happens", onscroll: () => show() }, room);
	const lines = new Map(); // index -> element; an element that stays keeps the focus
	let events = [];
	let now = -1;

	function show() {
		const first = Math.max(Math.floor(scroll.scrollTop / high) - 4, 0);
		const last = Math.min(first + Math.ceil(scroll.clientHeight / high) + 8, events.length);
		for (const [i, element] of lines) {
			if (i < first || i >= last) {
				element.remove();
				lines.delete(i);
			}
		}
		for (let i = first; i < last; i++) {
			if (!lines.has(i)) {
				lines.set(i, line(events[i], i));
				room.append(lines.get(i));
			}
			const button = lines.get(i).firstChild;
			button.classList.toggle("ahead", i > now);
			button.classList.toggle("now", i === now);
			button.ariaCurrent = i === now ? "time" : null;
		}
	}

	function line(event, i) {
		return el("div", { role: "listitem", style: { top: i * high + "px" } },
			el("button", { type: "button", class: "feed-line " + event.event, title: event.text, onclick: () => choose(event) },
				el("span", { class: "at" }, clockTime(event.time)), " ", event.text));
	}

	new ResizeObserver(show).observe(scroll);
	return {
		element: scroll,
		list(all) {
			events = all;
			room.style.height = events.length * high + "px";
			room.replaceChildren();
			lines.clear();
			show();
		},
		// go marks the last event before a time. If that event was not already marked, go scrolls to it.
		go(time) {
			const at = lastAt(events, events.length, time + 1e-4, (event) => event.time);
			if (at === now) {
				return;
			}
			now = at;
			if (!scroll.matches(":hover, :focus-within")) {
				scroll.scrollTop = Math.max((at + 0.5) * high - scroll.clientHeight / 2, 0);
			}
			show();
		},
	};
}
