// scrubber.js shows the controls of a playback: play, speed, steps, and a slider with events.

import { el, iconButton } from "gamedissect/dom";
import { span } from "gamedissect/format";
import { lastAt } from "gamedissect/column";

const speeds = [0.25, 0.5, 1, 2, 4, 8, 16];

// Important events have taller, coloured ticks.
const ticks = { kill: ["--error", 1], capture: ["--c3", 1], grab: ["--c4", 0.7], drop: ["--c4", 0.5], steal: ["--c4", 0.7],
	join: ["--c2", 0.6], leave: ["--c9", 0.6], chat: ["--line", 0.35] };

// clockTime formats a time for the slider: minutes, seconds and tenths.
export function clockTime(s) {
	const tenths = Math.max(Math.round(s * 10), 0);
	return Math.floor(tenths / 600) + ":" + String(Math.floor(tenths / 10) % 60).padStart(2, "0") + "." + tenths % 10;
}

// scrubber controls a clock. events() returns the events in time order.
export function scrubber(clock, events) {
	const play = iconButton("▶", "Play (space)", () => clock.play(!clock.playing), { class: "icon play" });
	const speed = el("select", { "aria-label": "Speed", title: "Speed", onchange: () => clock.run(Number(speed.value)) },
		speeds.map((x) => el("option", { value: x, selected: x === 1 }, x + "×")));
	const marks = el("canvas", { class: "ticks", "aria-hidden": "true" });
	const slider = el("input", { type: "range", step: "0.1", "aria-label": "Time", oninput: () => clock.go(Number(slider.value)) });
	const now = el("output", { class: "now" });
	const whole = el("span", { class: "dim whole" });
	const step = (by) => clock.go(beside(events(), clock.time, by) ?? clock.time);

	const show = () => {
		slider.value = String(clock.time);
		now.textContent = clockTime(clock.time);
		slider.setAttribute("aria-valuetext", clockTime(clock.time) + " of " + clockTime(clock.to));
	};
	const change = () => {
		play.firstChild.textContent = clock.playing ? "❚❚" : "▶";
		play.setAttribute("aria-label", clock.playing ? "Pause (space)" : "Play (space)");
		play.title = play.getAttribute("aria-label");
		slider.min = String(clock.from);
		slider.max = String(clock.to);
		whole.textContent = "/ " + clockTime(clock.to);
		whole.title = "length: " + span(clock.to - clock.from);
		speed.value = String(clock.speed);
		draw();
		show();
	};
	const draw = () => drawTicks(marks, clock, events());
	clock.addEventListener("time", show);
	clock.addEventListener("change", change);
	addEventListener("theme", draw);
	new ResizeObserver(draw).observe(marks);
	const bar = el("div", { class: "scrubber", role: "group", "aria-label": "Playback" },
		iconButton("|◀", "To the previous event (←)", () => step(-1)), play, iconButton("▶|", "To the next event (→)", () => step(1)),
		el("div", { class: "track" }, marks, slider), el("span", { class: "times" }, now, whole), speed);
	change();
	return { element: bar, draw, step, faster: (by) => faster(clock, by) };
}

// beside returns the time of the event that comes next after a time or, if by is negative, before it. If there is none,
// it returns undefined.
function beside(events, time, by) {
	const epsilon = 1e-4;
	const at = lastAt(events, events.length, time + (by > 0 ? epsilon : -epsilon), (event) => event.time);
	return events[by > 0 ? at + 1 : at]?.time;
}

function faster(clock, by) {
	const at = speeds.indexOf(clock.speed) + by;
	clock.run(speeds[Math.min(Math.max(at, 0), speeds.length - 1)]);
}

function drawTicks(canvas, clock, events) {
	const { clientWidth: width, clientHeight: height } = canvas;
	const sharp = devicePixelRatio;
	canvas.width = Math.round(width * sharp);
	canvas.height = Math.round(height * sharp);
	const pen = canvas.getContext("2d");
	const style = getComputedStyle(canvas);
	const inset = 8; // half the width of the slider's thumb
	const scale = (width - 2 * inset) / (clock.to - clock.from || 1);
	pen.scale(sharp, sharp);
	for (const { time, event } of events) {
		if (time < clock.from || time > clock.to) {
			continue;
		}
		const [colour, part] = ticks[event] ?? ["--dim", 0.4];
		pen.fillStyle = style.getPropertyValue(colour);
		pen.fillRect(inset + (time - clock.from) * scale - 0.75, height * (1 - part), 1.5, height * part);
	}
}
