// icons.js has an icon for each kind of event. Kinds differ in shape and in colour, so users can rely on either one.

import { svg } from "gamedissect/dom";
import { colours } from "gamedissect/paint";

// The shapes are centred at 0, 0 and about 12 wide.
const shapes = {
	disc: "M5 0A5 5 0 1 1-5 0A5 5 0 1 1 5 0Z",
	square: "M-4.5-4.5H4.5V4.5H-4.5Z",
	diamond: "M0-6L6 0L0 6L-6 0Z",
	up: "M0-6L6 5H-6Z",
	down: "M0 6L6-5H-6Z",
	right: "M6 0L-5 6V-6Z",
	left: "M-6 0L5 6V-6Z",
	cross: "M-5-5L5 5M-5 5L5-5",
	plus: "M-6 0H6M0-6V6",
	minus: "M-6 0H6",
	bars: "M-3-5V5M3-5V5",
	flag: "M-4 6V-6L5-3L-4 0",
	bubble: "M-6-5H6V3H0L-4 6.5V3H-6Z",
	star: "M0-6.5L1.6-2L6.3-2L2.6.9L4 5.5L0 2.7L-4 5.5L-2.6.9L-6.3-2L-1.6-2Z",
	ring: "M5 0A5 5 0 1 1-5 0A5 5 0 1 1 5 0ZM-3.5-3.5L3.5 3.5",
	struck: "M6 0A6 6 0 1 1-6 0A6 6 0 1 1 6 0ZM-2.5-2.5L2.5 2.5M-2.5 2.5L2.5-2.5",
	check: "M-5 0L-1.5 4L5.5-4.5",
	glass: "M-4.5-5.5H4.5L-4.5 5.5H4.5Z",
	rows: "M-5-4H5M-5 0H5M-5 4H5",
};

// The shape and the colour of each icon, and whether the icon is filled.
const kinds = {
	kill: ["cross", 1, false], death: ["struck", 6, false], capture: ["star", 3, true], grab: ["flag", 3, true], drop: ["flag", 9, false],
	steal: ["diamond", 3, false], rabbit: ["diamond", 8, true],
	join: ["right", 2, true], present: ["right", 2, false], leave: ["left", 9, true], refused: ["ring", 6, false],
	chat: ["bubble", 0, false], notice: ["bubble", 5, true], pause: ["bars", 4, false], resume: ["right", 4, false],
	start: ["up", 7, true], "game over": ["square", 7, true], shutdown: ["square", 1, true],
	announced: ["disc", 0, true], challenged: ["diamond", 4, false], verified: ["check", 2, false], failed: ["cross", 6, false],
	listed: ["plus", 2, false], unlisted: ["minus", 9, false], expired: ["glass", 1, true], list: ["rows", 5, false],
	server: ["disc", 2, false], title: ["square", 0, false], map: ["diamond", 5, true], players: ["up", 8, false],
	locked: ["square", 4, true],
};

// Other kinds get icons in the order in which the kinds appear.
const rest = Object.keys(shapes).filter((shape) => shape !== "minus");
const met = new Map();

// signOf returns {path, colour, filled} for a kind of events.
export function signOf(kind) {
	if (!Object.hasOwn(kinds, kind) && !met.has(kind)) {
		met.set(kind, [rest[met.size % rest.length], met.size % 10, met.size % 2 === 0]);
	}
	const [shape, colour, filled] = Object.hasOwn(kinds, kind) ? kinds[kind] : met.get(kind);
	return { path: shapes[shape], colour: colours().series[colour], name: "c" + colour, filled };
}

const paths = new Map();

// drawIcon draws an icon on a ground of the given colour.
export function drawIcon(context, kind, x, y, ground) {
	const { path, colour, filled } = signOf(kind);
	let shape = paths.get(path);
	if (!shape) {
		paths.set(path, shape = new Path2D(path));
	}
	context.save();
	context.translate(x, y);
	context.lineJoin = "round";
	context.lineWidth = 5; // a rim separates the icon from its background
	context.strokeStyle = ground;
	context.stroke(shape);
	context.lineWidth = 2;
	context.strokeStyle = colour;
	context.fillStyle = filled ? colour : ground;
	if (path.endsWith("Z") || filled) {
		context.fill(shape);
	}
	context.stroke(shape);
	context.restore();
}

// eventIcon returns an icon as an element.
export function eventIcon(kind) {
	const { path, name, filled } = signOf(kind);
	const colour = "var(--" + name + ")";
	return svg("svg", { width: 16, height: 16, viewBox: "-8 -8 16 16", "aria-hidden": "true", class: "event-icon" },
		svg("path", { d: path, style: { fill: filled ? colour : "none", stroke: colour, strokeWidth: "2", strokeLinejoin: "round" } }));
}
