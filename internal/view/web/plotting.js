// plotting.js draws lines or stacked areas over time, with axes. The pen that it draws with may also write a file.

import { bisect, sums } from "gamedissect/column";
import { colours, strokeOf } from "gamedissect/paint";
import { decades, durations, ticks } from "gamedissect/scale";

// Frame converts times and values to positions of a picture.
export class Frame {
	constructor(width, height, [from, to], [least, most], log = false) {
		const room = { left: 64, right: 14, top: 12, bottom: 26 };
		Object.assign(this, { width, height, from, to, least, most, log, ...room });
		this.across = Math.max(width - room.left - room.right, 1);
		this.down = Math.max(height - room.top - room.bottom, 1);
	}

	x(time) {
		return this.left + (time - this.from) / (this.to - this.from) * this.across;
	}

	y(value) {
		if (this.log) {
			const part = Math.log(Math.max(value, this.least) / this.least) / Math.log(this.most / this.least);
			return this.top + (1 - part) * this.down;
		}
		return this.top + (1 - (value - this.least) / (this.most - this.least)) * this.down;
	}

	time(x) {
		return this.from + Math.max(0, Math.min(1, (x - this.left) / this.across)) * (this.to - this.from);
	}
}

// If the greatest time is more than this many times the smallest one, small times cannot be distinguished on a linear
// axis.
const manifold = 20;

// logarithmic returns the range of a logarithmic axis as powers of ten, if times differ by more than the factor
// manifold. Otherwise it returns null.
export function logarithmic(lines, [from, to], unit) {
	let [least, most] = [Infinity, 0];
	for (const { times, values } of unit === "s" ? lines : []) {
		for (let i = 0; i < times.length; i++) {
			if (times[i] >= from && times[i] <= to && values[i] > 0) {
				least = Math.min(least, values[i]);
				most = Math.max(most, values[i]);
			}
		}
	}
	const whole = (x, round) => 10 ** round(Math.log10(x));
	return most > manifold * least ? [whole(Math.max(least, most / 1e6), Math.floor), whole(most, Math.ceil)] : null;
}

// extent returns the lowest and the highest value in a time range. They are rounded, and never equal.
export function extent(lines, [from, to], stacked) {
	let [least, most] = [Infinity, -Infinity];
	if (stacked) {
		[least, most] = [0, Math.max(0, ...sums(lines.map(({ values }) => values)))];
	} else {
		for (const { times, values } of lines) {
			for (let i = 0; i < times.length; i++) {
				if (times[i] >= from && times[i] <= to) {
					least = Math.min(least, values[i]);
					most = Math.max(most, values[i]);
				}
			}
		}
	}
	if (least > most) {
		return [0, 1];
	}
	if (least > 0 && least < most * 0.6) {
		least = 0; // heights must be proportional to the values
	}
	if (least === most) {
		return least === 0 ? [0, 1] : least > 0 ? [0, most * 1.1] : [least - 1, most + 1];
	}
	const margin = (most - least) * 0.05;
	return [least < 0 ? least - margin : Math.max(0, least === 0 ? 0 : least - margin), most + margin];
}

// plot draws everything except the marks that follow the pointer. lines are {times, values, style, step}. unit is the
// unit of the values.
export function plot(pen, frame, { lines, unit, stacked, range, axis }) {
	const c = colours();
	axes(pen, frame, c, unit);
	pen.within(frame.left, frame.top - 1, frame.across, frame.down + 2, () => {
		if (range) {
			const [from, to] = range.map((time) => frame.x(time));
			pen.rect(from, frame.top, Math.max(to - from, 1), frame.down, c.accent, 0.14);
		}
		if (stacked) {
			layers(pen, frame, lines);
		} else {
			for (const line of lines) {
				draw(pen, frame, line);
			}
		}
	});
	if (axis) {
		pen.text(axis, frame.left + 6, frame.top + 8, { colour: c.dim });
	}
}

function axes(pen, frame, c, unit) {
	const marks = Math.max(2, frame.down / 40);
	const heights = frame.log ? decades(frame.least, frame.most) : unit === "s" ? durations(frame.least, frame.most, marks)
		: ticks(frame.least, frame.most, marks, unit);
	for (const { at, label } of heights) {
		const y = Math.round(frame.y(at));
		pen.rect(frame.left, y, frame.across, 1, c.line);
		pen.text(label, frame.left - 8, y, { colour: c.dim, align: "right" });
	}
	const y = frame.top + frame.down;
	for (const { at, label } of ticks(frame.from, frame.to, Math.max(2, frame.across / 110), "s")) {
		const x = Math.round(frame.x(at));
		pen.rect(x, y, 1, 5, c.dim);
		const align = x > frame.width - 40 ? "right" : x < frame.left + 12 ? "left" : "center";
		pen.text(label, align === "right" ? Math.min(x + 12, frame.width - 2) : x, y + 15, { colour: c.dim, align });
	}
	pen.rect(frame.left, y, frame.across, 1, c.dim);
}

function draw(pen, frame, { times, values, style, step }) {
	const { colour, dash } = strokeOf(style);
	const silence = step ? Infinity : silenceOf(times);
	let points = [];
	for (let i = 0; i < times.length; i++) {
		if (i > 0 && times[i] - times[i - 1] > silence) {
			stroke(pen, points, colour, dash);
			points = [];
		}
		if (step && i > 0) {
			points.push(frame.x(times[i]), frame.y(values[i - 1]));
		}
		points.push(frame.x(times[i]), frame.y(values[i]));
	}
	if (step && times.length > 0) {
		points.push(frame.x(Math.max(step, times.at(-1))), frame.y(values.at(-1)));
	}
	stroke(pen, points, colour, dash);
	if (times.length < frame.across / 12) {
		for (let i = 0; i < times.length; i++) {
			pen.dot(frame.x(times[i]), frame.y(values[i]), 2.5, colour);
		}
	}
}

// stroke draws a line, which may consist of a single point.
function stroke(pen, points, colour, dash) {
	if (points.length === 2) {
		pen.dot(...points, 1.5, colour);
	} else {
		pen.path(points, { colour, dash });
	}
}

// silenceOf returns the length of a gap that interrupts a line: much longer than the usual gap.
function silenceOf(times) {
	const gaps = times.slice(1).map((time, i) => time - times[i]).filter((gap) => gap > 0).sort((a, b) => a - b);
	return gaps.length > 2 ? 5 * gaps[gaps.length >> 1] : Infinity;
}

// layers draws stacked areas. The height of each area is the count in the interval.
function layers(pen, frame, lines) {
	const below = new Array(lines[0]?.values.length ?? 0).fill(0);
	for (const { times, values, style, interval } of lines) {
		const [top, bottom] = [[], []];
		for (let i = 0; i < values.length; i++) {
			const [from, to] = [frame.x(times[i]), frame.x(times[i] + interval)];
			bottom.push([from, frame.y(below[i])], [to, frame.y(below[i])]);
			below[i] += values[i];
			top.push([from, frame.y(below[i])], [to, frame.y(below[i])]);
		}
		const { colour } = strokeOf(style);
		pen.area([...top, ...bottom.reverse()].flat(), colour, style % 20 < 10 ? 0.85 : 0.5);
	}
}

// nearest returns the index of the value of a line that is nearest to a time. It returns -1 if the line has no values.
export function nearest({ times }, time) {
	const least = bisect(times.length, (i) => times[i] < time);
	if (least > 0 && (least === times.length || time - times[least - 1] < times[least] - time)) {
		return least - 1;
	}
	return least < times.length ? least : -1;
}
