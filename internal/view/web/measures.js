// measures.js plots measurements of players and servers over time, such as lag, ping or kills.

import { el } from "gamedissect/dom";
import { Chart } from "gamedissect/chart";
import { count, quantity } from "gamedissect/format";

export const measures = { name: "measures", title: "Lag and more", make };

const usual = 6; // lines drawn by default
const most = 40;

function make(app, scope) {
	const chart = new Chart(app, { look: (line, index) => line.rows[index] >= 0 && app.look(line.rows[index]) });
	const what = el("select", { "aria-label": "Measurements" });
	const sift = el("input", { type: "search", placeholder: "Who", "aria-label": "Whose", size: 14 });
	const counts = el("p", { class: "dim", hidden: true }, "This capture has no measured times, only counts.");
	const list = el("div", { class: "whose", role: "group", "aria-label": "Whose" });
	const chosen = new Map(); // group -> names of selected series
	let groups = new Map();
	let asked = null;
	const current = () => groups.get(what.value);
	const draw = async () => {
		asked?.abort();
		asked = new AbortController();
		const group = current();
		const series = group?.series.filter((s) => picked(group, chosen).has(nameOf(s))) ?? [];
		const lines = await Promise.all(series.map((s) => lineOf(app, s, group, asked.signal)));
		chart.set({
			title: group ? group.title : "Measured", unit: group?.unit ?? "", lines, span: app.range ?? undefined,
			empty: group ? "Choose whose values to show." : "Nothing was measured in this capture.",
		});
	};
	const again = () => draw().catch((error) => app.complain(error));
	const choices = () => {
		const group = current();
		const names = group ? picked(group, chosen) : new Set();
		const wanted = sift.value.toLowerCase();
		const shown = group?.series.filter((s) => nameOf(s).toLowerCase().includes(wanted)) ?? [];
		list.replaceChildren(...shown.slice(0, 200).map((s) => el("label", {}, el("input", {
			type: "checkbox", checked: names.has(nameOf(s)), onchange: (event) => {
				names[event.target.checked ? "add" : "delete"](nameOf(s));
				again();
			},
		}), el("span", { class: "of", title: nameOf(s) }, nameOf(s)), el("span", { class: "dim" }, valueOf(s)))),
		shown.length > 200 ? el("p", { class: "dim" }, count(shown.length - 200) + " more: type part of a name above") : "");
	};
	// want selects the series with a player's greatest value.
	const want = ({ whats = [], whose }) => {
		let worst = null;
		for (const group of groups.values()) {
			for (const s of group.series) {
				if (whats.includes(s.what) && (s.who || s.server) === whose && !(s.max <= worst?.max)) {
					worst = s;
					what.value = group.key;
					picked(group, chosen).add(nameOf(s));
				}
			}
		}
	};
	const refresh = async () => {
		const { series } = await app.ask("measured", { count: 20_000 });
		const { lives } = await app.ask("timeline", { count: 1 });
		series.push(...crowds(lives));
		const several = new Set(series.filter(({ who, server }) => who && server).map(({ server }) => server)).size > 1;
		groups = groupsOf(series.filter((s) => scope.server === "" || s.server === scope.server).map((s) => ({ ...s, several })));
		counts.hidden = groups.size === 0 || [...groups.values()].some(({ unit }) => unit !== "" && unit !== "players");
		const before = what.value;
		what.replaceChildren(...[...groups].map(([key, group]) => el("option", { value: key }, group.title)));
		what.value = groups.has(before) ? before : groups.keys().next().value ?? "";
		want(app.take());
		choices();
		await draw();
	};
	what.addEventListener("change", () => {
		choices();
		again();
	});
	sift.addEventListener("input", choices);
	const all = (names) => {
		const group = current();
		if (group) {
			chosen.set(group.key, new Set(names(group)));
			choices();
			again();
		}
	};
	return {
		refresh, element: el("div", {}, el("div", { class: "asking" }, el("label", {}, "Measured ", what),
			el("span", { class: "dim" }, "Click a point for its message; drag to select a range")), counts,
		el("div", { class: "measured" }, el("div", { class: "picking" }, sift, el("div", {},
			el("button", { type: "button", class: "quiet", onclick: () => all((g) => g.series.slice(0, most).map(nameOf)) }, "All"), " ",
			el("button", { type: "button", class: "quiet", onclick: () => all(() => []) }, "None")), list), chart.element)),
	};
}

const nameOf = ({ server, who, whom, several }) =>
	[who || server || "all", whom].filter(Boolean).join(" > ") + (several && who && server ? " at " + server : "");
const valueOf = ({ unit, max, mean, count: n }) =>
	unit ? "up to " + quantity(max, unit) : count(Math.round(mean * n));

// groupsOf groups series by measurement. First come times, such as lag, then other measurements with a unit, and then
// counts.
function groupsOf(series) {
	const groups = new Map();
	for (const s of series) {
		const key = [s.protocol, s.table, s.what].join("\n");
		if (!groups.has(key)) {
			const title = s.what + (s.unit ? "" : ", sum") + " (" + s.protocol + " " + s.table + ")";
			groups.set(key, { key, unit: s.unit ?? "", title, series: [] });
		}
		groups.get(key).series.push(s);
	}
	return new Map([...groups].sort(([, a], [, b]) => (a.unit !== "s") - (b.unit !== "s") || (a.unit === "") - (b.unit === "") ||
		(a.series[0].whom ? 1 : 0) - (b.series[0].whom ? 1 : 0) ||
		b.series.length - a.series.length));
}

// picked returns the selected names of a group. By default, these are the names with the greatest times or, if the
// group has no times, with the most values.
export function picked(group, chosen) {
	if (!chosen.has(group.key)) {
		const rank = group.unit === "s" ? ({ max }) => max : (s) => s.count;
		const first = [...group.series].sort((a, b) => rank(b) - rank(a)).slice(0, usual);
		chosen.set(group.key, new Set(first.map(nameOf)));
	}
	return chosen.get(group.key);
}

// crowds returns the number of players of each server over time, from their joins and leaves.
export function crowds(lives) {
	const servers = new Map();
	for (const { kind, server, protocol, from, to, ended } of lives) {
		if (kind === "player" && server) {
			const all = servers.get(server) ?? { protocol, steps: [] };
			servers.set(server, all);
			all.steps.push([from, 1], ...ended ? [[to, -1]] : []);
		}
	}
	return [...servers].map(([server, { protocol, steps }]) => {
		steps.sort(([a], [b]) => a - b);
		let there = 0;
		const values = [0, ...steps.map(([, by]) => there += by)];
		const max = Math.max(...values);
		return { protocol, table: "time line", server, what: "players", unit: "players", count: steps.length, min: 0, max,
			line: { times: [0, ...steps.map(([time]) => time)], values, rows: values.map(() => -1) } };
	});
}

// lineOf requests the values of a series. For a count, the engine returns increments, which lineOf adds up.
async function lineOf(app, s, group, signal) {
	if (s.line) {
		return { ...s.line, name: nameOf(s), style: group.series.indexOf(s), count: s.count, min: s.min, max: s.max, step: app.state.seconds };
	}
	const { table, server, who, whom, what, protocol, unit } = s;
	const answer = await app.ask("plot", { measured: { table, server, who, whom, what, protocol }, points: unit ? 2000 : 10_000 },
		{ signal });
	const line = answer.lines[0] ?? { times: [], values: [], rows: [] };
	const own = { name: nameOf(s), style: group.series.indexOf(s), count: s.count };
	if (unit) {
		return { ...own, times: line.times, values: line.values, rows: line.rows, min: s.min, max: s.max, mean: s.mean };
	}
	let sum = 0;
	const values = [0, ...line.values.map((x) => sum += x)];
	return { ...own, times: [0, ...line.times], values, rows: [-1, ...line.rows], min: 0, max: sum, step: app.state.seconds };
}
