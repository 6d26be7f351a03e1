// fieldplot.js plots any field over time, with a line for each value of another field.

import { el } from "gamedissect/dom";
import { Chart } from "gamedissect/chart";
import { count } from "gamedissect/format";
import { fieldInput } from "gamedissect/fieldinput";

export const fieldPlot = { name: "plot", title: "Any field", make };

const plotted = /number|duration|time|boolean/;

function make(app) {
	const chart = new Chart(app, { look: (line, index) => app.look(line.rows[index]) });
	const state = el("span", { class: "dim", role: "status" });
	let asked = null;
	const refresh = async () => {
		asked?.abort();
		asked = new AbortController();
		state.textContent = "";
		if (field.value === "") {
			chart.set({ title: "A field over time", lines: [],
				empty: "Enter a field name, such as " + example(app) + ", to plot it over time." });
			return;
		}
		try {
			await app.whole("plot", { field: field.value, by: by.value, filter: app.during(), points: 2000 }, {
				signal: asked.signal, onPart: (answer) => draw(answer),
			});
		} catch (error) {
			if (error.name !== "AbortError") {
				state.textContent = error.message;
				state.className = "refused";
			}
		}
	};
	const draw = (answer) => {
		state.className = "dim";
		const left = answer.left_out > 0 ? count(answer.left_out) + " values left out" : "";
		state.textContent = answer.done ? left : count(answer.examined) + " of " + count(answer.of);
		chart.set({
			title: field.value + (by.value ? " by " + by.value : ""), unit: answer.unit ?? "", span: app.range ?? undefined,
			lines: answer.lines.map((line, i) => ({ ...line, style: i })),
			empty: answer.done ? "No message that matches the filter has this field." : "Reading …",
		});
	};
	const again = () => refresh().catch((error) => app.complain(error));
	const field = fieldInput(app, { label: "Field", wanted: ({ type }) => plotted.test(type), onchoose: again });
	const by = fieldInput(app, { label: "by", wanted: ({ type }) => type !== "group" && type !== "bytes",
		near: () => field.value, onchoose: again });
	return {
		refresh, element: el("div", {}, el("div", { class: "asking" }, field.element, by.element, state), chart.element),
	};
}

function example(app) {
	const examples = {
		bzflag24: "bzflag24.player_update_small.position", bzflag17: "bzflag17.player_update.position", tribes: "tribes.heartbeat.players",
	};
	const met = Object.keys(app.state.protocols).find((name) => examples[name]);
	return met ? examples[met] : "length";
}
