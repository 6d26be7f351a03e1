// paint.js helps to draw on canvases. It has the theme's colours, and makes pictures sharp.

import { bisect } from "gamedissect/column";

const names = ["ground", "panel", "raised", "line", "ink", "dim", "accent", "on-accent", "chosen", "hover", "mark", "error",
	"warning", "note",
	"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"];

let known = null;

// colours returns the colours of the current theme by the names in style.css. The key "series" has the ten colours of
// lines.
export function colours() {
	if (!known) {
		const style = getComputedStyle(document.documentElement);
		known = Object.fromEntries(names.map((name) => [name, style.getPropertyValue("--" + name).trim()]));
		known.series = Array.from({ length: 10 }, (_, i) => known["c" + i]);
		known.text = style.getPropertyValue("--text").trim();
	}
	return known;
}

const changed = new EventTarget();

// onTheme calls f whenever the colours change.
export function onTheme(f) {
	changed.addEventListener("theme", f);
}

function forget() {
	known = null;
	changed.dispatchEvent(new Event("theme"));
}
addEventListener("theme", forget);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", forget);

// Lines also differ in their dashes, because there may be more than ten lines, and because some people cannot
// distinguish the colours.
const dashes = [[], [6, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2]];

// strokeOf returns the colour and the dashes of the nth line; -1 means the line for all other series.
export function strokeOf(i) {
	if (i < 0) {
		return { colour: colours().dim, dash: [] };
	}
	return { colour: colours().series[i % 10], dash: dashes[(i + Math.floor(i / 10)) % dashes.length] };
}

// sharp clears a canvas, sets its size in CSS pixels, and returns its context. The canvas has the resolution of the
// device.
export function sharp(canvas, width, height) {
	const ratio = devicePixelRatio || 1;
	const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
		canvas.style.width = width + "px";
		canvas.style.height = height + "px";
	}
	const context = canvas.getContext("2d");
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, width, height);
	return context;
}

// soon returns a function that calls f once before the next frame, even if the function is called several times.
export function soon(f) {
	let asked = false;
	return () => {
		if (!asked) {
			asked = true;
			requestAnimationFrame(() => {
				asked = false;
				f();
			});
		}
	};
}

// fitting cuts a text at its end or its beginning, so that the text fits into a width in pixels.
export function fitting(context, text, width, beginning = false) {
	if (context.measureText(text).width <= width) {
		return text;
	}
	const cut = (n) => beginning ? "…" + text.slice(-n).replace(/^\./, "") : text.slice(0, n) + "…";
	const least = bisect(text.length, (i) => context.measureText(cut(i + 1)).width <= width);
	return least === 0 ? "" : cut(least);
}
