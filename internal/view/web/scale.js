// scale.js computes the ticks of axes and their labels.

import { number, size } from "gamedissect/format";

// Round time steps: below a second, halves and fifths; above, the steps of clocks.
const clock = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200];

// ticks returns round numbers in a range, as [{at, label}]. There are about as many as about says.
export function ticks(from, to, about, unit = "") {
	const step = unit === "s" && to - from > 2 * about ? clockStep((to - from) / about) : roundStep((to - from) / about);
	if (!(step > 0) || !Number.isFinite(step)) {
		return [];
	}
	const list = [];
	const first = Math.ceil(from / step - 1e-9);
	for (let i = first; i * step <= to + step * 1e-9 && list.length < 100; i++) {
		const at = i * step;
		list.push({ at, label: unit === "s" ? moment(at, step) : amount(at, step, unit) });
	}
	return list;
}

// roundStep returns the smallest of 1, 2 or 5 times a power of ten that is not less than its argument.
function roundStep(least) {
	const power = 10 ** Math.floor(Math.log10(least));
	return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= least * (1 - 1e-9));
}

function clockStep(least) {
	return clock.find((step) => step >= least) ?? Math.ceil(least / 86400) * 86400;
}

// moment formats a time on an axis as shortly as possible, for a given distance between ticks: 12.5 s, 2:30, 1:02:30.
export function moment(s, step) {
	if (step < 1) {
		const digits = Math.min(Math.ceil(-Math.log10(step) - 1e-9), 9);
		return s.toFixed(digits) + " s";
	}
	const all = Math.round(s);
	if (all < 60 && step < 60) {
		return all + " s";
	}
	const two = (n) => String(Math.floor(n)).padStart(2, "0");
	return all < 3600 ? Math.floor(all / 60) + ":" + two(all % 60)
		: Math.floor(all / 3600) + ":" + two(all % 3600 / 60) + ":" + two(all % 60);
}

function amount(at, step, unit) {
	if (at === 0) {
		return "0";
	}
	if (unit === "B") {
		return size(Math.abs(at)).replace(/^/, at < 0 ? "−" : "");
	}
	const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step) - 1e-9)));
	const text = Math.abs(at) >= 1e9 || step < 1e-9 ? number(at) : at.toLocaleString("en-US",
		{ minimumFractionDigits: digits, maximumFractionDigits: digits });
	return text.replace("-", "−");
}

// durations returns the ticks of an axis of durations, in the unit that suits the longest duration.
export function durations(from, to, about) {
	const most = Math.max(Math.abs(from), Math.abs(to));
	const [scale, unit] = most < 2e-3 ? [1e6, "µs"] : most < 2 ? [1e3, "ms"] : [1, "s"];
	return ticks(from * scale, to * scale, about).map(({ at, label }) => ({ at: at / scale, label: at === 0 ? "0" : label + " " + unit }));
}

// decades returns the ticks of a logarithmic axis.
export function decades(from, to) {
	const list = [];
	for (let power = Math.ceil(Math.log10(from) - 1e-9); power <= Math.log10(to) + 1e-9; power++) {
		list.push({ at: 10 ** power, label: power < -3 ? 10 ** (power + 6) + " µs" : power < 0 ? 10 ** (power + 3) + " ms" : 10 ** power + " s" });
	}
	return list;
}

// wide makes a range that can be drawn from two times: not empty, and finite.
export function wide(from, to) {
	return to - from > 1e-6 ? [from, to] : [from, from + 1e-3];
}

// zoomed returns a range scaled by a factor around a fixed position, within bounds.
export function zoomed([from, to], factor, around, [least, most]) {
	const width = Math.min(Math.max((to - from) * factor, 1e-6), most - least);
	const start = around - (around - from) / (to - from) * width;
	return moved([start, start + width], 0, [least, most]);
}

// moved returns a range shifted by a distance, within bounds.
export function moved([from, to], by, [least, most]) {
	const width = to - from;
	const start = Math.max(least, Math.min(from + by, most - width));
	return [start, start + width];
}

