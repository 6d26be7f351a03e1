// eventlist.js lists the visible events of the time line as text, also for screen readers.

import { el } from "gamedissect/dom";
import { count, counted, seconds } from "gamedissect/format";
import { eventIcon } from "gamedissect/icons";
import { kindOf } from "gamedissect/lanes";
import { soon } from "gamedissect/paint";

const height = 24;

// eventList shows the events of times, and marks the chosen one as selected.
export function eventList(app, times) {
	const id = "event-list";
	const sheet = el("div", { class: "sheet" });
	const list = el("div", { class: "events", role: "listbox", tabindex: "0", "aria-label": "Visible events", id }, sheet);
	const title = el("h2", {});
	const own = el("section", { class: "event-list" }, title, list);
	let events = [];
	const draw = soon(() => {
		const first = Math.max(0, Math.floor(list.scrollTop / height) - 5);
		const last = Math.min(events.length, first + Math.ceil(list.clientHeight / height) + 10);
		sheet.style.height = events.length * height + "px";
		sheet.replaceChildren(...events.slice(first, last).map((event, i) => line(event, first + i)));
		const at = events.indexOf(times.chosen);
		if (at >= first && at < last) {
			list.setAttribute("aria-activedescendant", id + "-" + at);
		} else {
			list.removeAttribute("aria-activedescendant");
		}
	});
	const line = (event, i) => el("div", {
		class: "event", role: "option", id: id + "-" + i, "aria-selected": String(event === times.chosen),
		"aria-setsize": events.length, "aria-posinset": i + 1, style: { top: i * height + "px" },
		onclick: () => {
			times.choose(event);
			look(app, event);
		},
	}, el("span", { class: "time" }, seconds(event.time)), eventIcon(kindOf(event)), el("span", { class: "kind" }, kindOf(event)),
	el("span", { class: "text", title: event.text }, event.text), el("span", { class: "dim" }, event.server ?? ""));
	const fill = soon(() => {
		events = times.inSight();
		own.classList.toggle("one-server", events.every(({ server }) => server === events[0].server));
		const more = times.leftOut > 0 ? "; " + count(times.leftOut) + " more" + " when you zoom in" : "";
		title.textContent = counted(events.length, "event") + " in sight" + more;
		draw();
	});
	list.addEventListener("scroll", draw);
	list.addEventListener("keydown", (event) => {
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
		if (step && events.length > 0) {
			const at = events.indexOf(times.chosen);
			times.choose(events[Math.max(0, Math.min(events.length - 1, at < 0 && step < 0 ? 0 : at + step))]);
		} else if (event.key === "Enter" && times.chosen) {
			look(app, times.chosen);
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
	times.addEventListener("chosen", () => {
		const at = events.indexOf(times.chosen);
		if (at >= 0 && (at * height < list.scrollTop || (at + 1) * height > list.scrollTop + list.clientHeight)) {
			list.scrollTop = Math.max(0, at * height - list.clientHeight / 2);
		}
		draw();
	});
	times.addEventListener("lanes", fill);
	times.addEventListener("sight", fill);
	new ResizeObserver(draw).observe(list);
	return own;
}

// look shows the message of an event, or says that the event has none.
export function look(app, event) {
	if (event.row >= 0) {
		app.look(event.row);
	} else {
		app.say("No message shows this: " + event.text);
	}
}
