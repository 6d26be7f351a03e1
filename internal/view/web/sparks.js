// sparks.js draws the small charts of the overview's tiles.

import { sums } from "gamedissect/column";
import { el, svg } from "gamedissect/dom";
import { count, quantity, span } from "gamedissect/format";

const parts = 80; // number of points of a chart

// sparklines returns the small charts of the tiles.
export async function sparklines(app, { health: h }) {
	const { seconds } = app.state;
	const lines = {};
	const each = " in " + span(seconds / parts);
	const sparkline = (values, colour, title, told) => spark(values, colour, { title, seconds, told });
	const sum = (series) => sums(series.map(({ counts }) => counts));
	const { series } = await app.ask("rates", { intervals: parts, by: "severity" });
	lines.messages = sparkline(sum(series), "accent", "messages" + each);
	const bad = series.filter(({ name }) => name !== "none");
	if (bad.length > 0) {
		lines.findings = sparkline(sum(bad), ["error", "warning", "note"].find((s) => bad.some(({ name }) => name === s)),
			"findings" + each);
	}
	const { lives } = await app.ask("timeline", { count: 1 });
	for (const kind of ["server", "player"]) {
		const there = Array.from({ length: parts }, (_, i) => lives.filter((life) => life.kind === kind &&
			life.from <= (i + 1) * seconds / parts && life.to >= i * seconds / parts).length);
		lines[kind + "s"] = sparkline(there, kind === "server" ? "c2" : "c3", kind + "s at a time");
	}
	const [what, table, of] = h.lag ? ["lag", "players", h.lag] : ["ping", "servers", h.answer_times];
	if (of) {
		const all = await app.ask("plot", { measured: { table, what }, points: 1000 });
		const greatest = new Array(parts).fill(0);
		for (const { times, values } of all.lines) {
			for (const [i, time] of times.entries()) {
				const at = Math.min(Math.floor(time / seconds * parts), parts - 1);
				greatest[at] = Math.max(greatest[at], values[i]);
			}
		}
		lines.lag = sparkline(greatest, "c1", "greatest " + what + each, (x) => quantity(x, "s"));
	}
	return lines;
}

// spark draws the amounts in equal parts of the time. The title, with the maximum, is above the chart, and the axis
// below.
function spark(values, colour, { title, seconds, told = count }) {
	if (values.every((n) => n === values[0])) {
		return null;
	}
	const most = Math.max(...values, 0);
	const steps = values.map((n, i) => "L" + i + " " + (30 - n / (most || 1) * 28) + "H" + (i + 1)).join("");
	const label = title + ", up to " + told(most);
	return el("figure", { class: "spark" }, el("figcaption", {}, label),
		svg("svg", { viewBox: "0 0 " + values.length + " 30", preserveAspectRatio: "none", role: "img", "aria-label": label + ", over time" },
			svg("path", { d: "M0 30" + steps + "V30Z", style: { fill: "var(--" + colour + ")" } })),
		el("div", { class: "axis", "aria-hidden": "true" }, el("span", {}, "0 s"), el("span", {}, span(seconds / 2)), el("span", {}, span(seconds))));
}
