// arrows.js draws the lines of a sequence diagram, either on the screen with the theme's colours, or in a file.

import { el, marks, svg } from "gamedissect/dom";
import { count, seconds, span } from "gamedissect/format";

export const lineHeight = 26;
export const timesWidth = 92;

const narrowest = 112; // this allows six players and their server next to the details in 1400 pixels
const widest = 520;
const arrowAt = 19; // distance of an arrow from the top of its line
const textAt = 12;
const edge = 20; // a line with fewer visible pixels is treated as invisible
const font = 12;
const fewest = 24; // minimum length of a label next to the name of an end

// onScreen returns colours that follow the theme.
export const onScreen = Object.fromEntries([
	"panel", "raised", "line", "ink", "dim", "error", "warning", "note", "error-soft", "warning-soft", "note-soft",
].map((name) => [name, "var(--" + name + ")"]));

// layoutOf distributes columns over a width. If the columns do not fit, it uses a greater width.
export function layoutOf(ends, width) {
	const most = Math.max(ends.length, 1);
	const column = Math.min(Math.max((width - timesWidth) / most, narrowest), widest);
	const x = new Map(ends.map(({ end }, i) => [end, timesWidth + column * (i + 0.5)]));
	return { ends, x, column, width: Math.max(timesWidth + column * ends.length, width), used: timesWidth + column * ends.length };
}

// called returns the name of the player or server at an end or, if unknown, the end's address.
export function called({ name, id }) {
	return name ?? id;
}

// describe describes a line in words.
export function describe(line) {
	if (line.count === 0) {
		return span(line.silence) + " of silence";
	}
	const time = seconds(line.time) + (line.until === undefined ? "" : " to " + seconds(line.until)) + " s";
	const what = (line.name ?? "finding") + (line.count > 1 ? " × " + count(line.count) : "") + (line.copy ? " (seen before)" : "");
	return [
		time, [line.src, line.dst].filter(Boolean).join(" → "), what, line.summary ?? "",
		line.severity ? line.severity + ": " + (line.rules ?? []).join(", ") : "",
	].filter(Boolean).join("\n");
}

// extent returns the horizontal range of a line, or null if the line spans the whole width.
export function extent({ from_end, to_end, finding }, { x, column }) {
	const ends = [x.get(from_end), x.get(to_end)].filter((at) => at !== undefined);
	if (ends.length === 0) {
		return null;
	}
	if (finding || ends.length === 1) {
		return [ends[0] - column / 2, ends[0] + column / 2];
	}
	return [Math.min(...ends), Math.max(...ends) + (from_end === to_end ? column / 2 : 0)];
}

// drawLine returns the elements of a line: its picture and its time. visible has the first and the last visible pixel.
// If the line lies outside of these, drawLine writes the line's name at the edge.
export function drawLine(line, layout, visible, { sub, open }) {
	const frame = { width: layout.width, height: lineHeight, "aria-hidden": "true" };
	return [svg("svg", frame, ...shapes(line, layout, onScreen, { sub, open, visible }), beside(line, layout, visible)),
		el("span", { class: "time", "aria-hidden": "true" }, line.count === 0 ? "" : seconds(line.time))];
}

// shapes returns the shapes of a line.
export function shapes(line, layout, paint, { sub = false, open = false, folds = true, visible = [0, Infinity] } = {}) {
	const lifelines = layout.ends.map(({ end }) => svg("line", {
		x1: layout.x.get(end), x2: layout.x.get(end), y1: 0, y2: lineHeight, stroke: paint.line,
		"stroke-dasharray": line.count === 0 ? "2 4" : null,
	}));
	if (line.count === 0) {
		return [...lifelines, silence(line, layout, paint)];
	}
	const [from, to] = [layout.x.get(line.from_end), layout.x.get(line.to_end)];
	if (line.finding || from === undefined || to === undefined) {
		return [...lifelines, ...note(line, layout, paint, from ?? to, visible)];
	}
	const mark = folds && !sub && line.count > 1 ? (open ? "▾ " : "▸ ") : "";
	return [...lifelines, ...arrow(line, layout, paint, { from, to, sub, mark, visible })];
}

function beside(line, layout, [left, right]) {
	const reach = extent(line, layout);
	if (!reach || reach[0] < right - edge && reach[1] > left + edge) {
		return null;
	}
	const sign = line.severity ? marks[line.severity] + " " : "";
	const after = reach[0] >= right - edge;
	const text = sign + (line.name ?? "finding") + (line.count > 1 ? " × " + count(line.count) : "");
	return svg("text", {
		x: after ? right - 8 : left + 8, y: 17, "text-anchor": after ? "end" : "start", "font-size": font, "font-style": "italic",
		fill: line.severity ? onScreen[line.severity] : onScreen.dim, ...halo(onScreen),
	}, after ? text + " ▸" : "◂ " + text);
}

function silence(line, layout, paint) {
	const x = layout.x.get(layout.ends[0]?.end) ?? timesWidth;
	return svg("text", { x: x + 10, y: 17, "font-size": font, "font-style": "italic", fill: paint.dim }, span(line.silence) + " silence");
}

function arrow(line, layout, paint, { from, to, sub, mark, visible }) {
	const colour = line.severity ? paint[line.severity] : sub ? paint.dim : paint.ink;
	const stroke = line.severity ? { "stroke-width": 1.8, "stroke-dasharray": "6 3" } : { "stroke-width": 1.2 };
	const own = from === to;
	const way = own || to < from ? -1 : 1; // direction of the arrowhead
	const tip = own ? from + 1 : to - way;
	const path = own ? "M" + from + " 6h26v" + (arrowAt - 6) + "H" + (from + 7) : "M" + from + " " + arrowAt + "H" + (tip - way * 7);
	const far = layout.ends.find(({ end }) => layout.x.get(end) === Math.max(from, to) && layout.x.get(end) > visible[1]);
	const left = own ? from + 34 : Math.max(Math.min(from, to) + 10, visible[0] + 8);
	const name = far && !own && visible[1] - left > (called(far).length + fewest) * letter() ? called(far) + " ▸" : "";
	const right = Math.min(visible[1], layout.used) - 16 - name.length * letter();
	const seen = left < visible[1] - edge && Math.max(from, to) > visible[0] + edge;
	return [
		svg("path", { d: path, fill: "none", stroke: colour, ...stroke }),
		svg("path", { d: "M" + tip + " " + arrowAt + "l" + -way * 8 + " -4v8z", fill: colour }),
		seen && label(line, left, textAt + (own ? 3 : 0), right - left, paint, colour, mark),
		seen && name && svg("text", {
			x: visible[1] - 8, y: textAt, "text-anchor": "end", "font-size": font, fill: paint.dim, ...halo(paint),
		}, name),
	];
}

// halo separates a text from the lines under it.
function halo(paint) {
	return { stroke: paint.panel, "stroke-width": 3, "paint-order": "stroke", "stroke-linejoin": "round" };
}

// label writes an arrow's text: a mark for findings, the number of messages, and as much of the summary as fits.
function label(line, x, y, room, paint, colour, mark) {
	const sign = line.severity ? marks[line.severity] + " " : "";
	const times = line.count > 1 ? " × " + count(line.count) : "";
	const name = (line.name ?? "") || "finding";
	const rest = Math.floor(room / letter()) - sign.length - mark.length - times.length;
	const shown = cut(name, rest);
	const summary = line.count > 1 ? "" : cut(line.summary ?? "", rest - wide(shown) - 1);
	return svg("text", { x, y, "font-size": font, fill: paint.ink, ...halo(paint) },
		sign && svg("tspan", { fill: colour }, sign),
		mark || times ? svg("tspan", { class: mark ? "fold" : null }, mark + shown, svg("tspan", { "font-weight": 600 }, times)) : shown,
		summary && svg("tspan", { fill: paint.dim }, " " + summary));
}

// note draws a finding that belongs to no message, over the finding's end or over all ends. If there is room, the note
// is as wide as its text. The note stays in the visible part.
function note(line, layout, paint, x, visible) {
	const what = line.summary || line.rules?.[0] || line.name || "";
	const text = marks[line.severity] + " " + (line.count > 1 ? count(line.count) + " × " : "") + what;
	const first = Math.max(timesWidth, visible[0]) + 8;
	const last = Math.max(Math.min(x === undefined ? layout.used : layout.width, visible[1]) - 8, first);
	const wanted = x === undefined ? last - first : Math.max(layout.column - 16, (wide(text) + 1) * letter() + 16);
	const width = Math.min(wanted, last - first);
	const left = Math.max(Math.min((x ?? first) - width / 2, last - width), first);
	return [
		svg("rect", {
			x: left, y: 3, width, height: lineHeight - 6, rx: 4, fill: paint[line.severity + "-soft"] ?? paint.raised,
			stroke: paint[line.severity] ?? paint.dim, "stroke-dasharray": "4 2",
		}),
		svg("text", { x: left + 8, y: 17, "font-size": font, fill: paint[line.severity] ?? paint.ink, class: line.count > 1 ? "fold" : null },
			cut(text, Math.floor((width - 16) / letter()))),
	];
}

let measured = 0;

// letter returns the width of a letter. All letters have the same width.
export function letter() {
	if (measured === 0) {
		const context = document.createElement("canvas").getContext("2d");
		context.font = font + "px " + getComputedStyle(document.documentElement).getPropertyValue("--mono");
		measured = context.measureText("m".repeat(100)).width / 100;
	}
	return measured;
}

// Most characters from this code on are twice as wide.
const doubled = 0x1100;

function wide(text) {
	let sum = 0;
	for (const c of text) {
		sum += c.codePointAt(0) >= doubled ? 2 : 1;
	}
	return sum;
}

// cut shortens a text to a number of letters.
function cut(text, room) {
	if (text.length * 2 <= room) {
		return text;
	}
	let [sum, end] = [0, 0];
	for (const c of text) {
		sum += c.codePointAt(0) >= doubled ? 2 : 1;
		if (sum > room - 1 && end + c.length < text.length) {
			return end > 1 ? text.slice(0, end) + "…" : "";
		}
		end += c.length;
	}
	return sum > room ? "" : text;
}
