// rates.js plots the number of messages of each kind over time.

import { el } from "gamedissect/dom";
import { Chart } from "gamedissect/chart";
import { number, span } from "gamedissect/format";

export const rates = { name: "rates", title: "Rates", make };

const kinds = { name: "message", protocol: "protocol", stream: "stream", severity: "severity", bytes: "bytes of packets" };

function make(app) {
	const chart = new Chart(app, { look: (line, index, time) => lookAt(app, time) });
	const by = el("select", {}, Object.entries(kinds).map(([value, text]) => el("option", { value }, text)));
	const form = el("select", {}, el("option", { value: "stacked" }, "layers"), el("option", { value: "lines" }, "lines"));
	let asked = null;
	let last = null;
	const draw = () => {
		const bytes = by.value === "bytes";
		const lines = last.series.map(({ name, total, counts }, i) => ({
			name: bytes ? "" : name, style: name === "others" ? -1 : i, count: total, max: counts.reduce((a, b) => Math.max(a, b), 0),
			values: counts, interval: last.interval,
			times: counts.map((_, k) => last.from + (k + (form.value === "stacked" ? 0 : 0.5)) * last.interval),
		}));
		chart.set({
			title: (bytes ? "Bytes" : "Messages") + " per " + lengthOf(last.interval),
			lines, unit: bytes ? "B" : "", counts: true,
			stacked: form.value === "stacked", interval: last.interval, span: [last.from, last.from + last.interval * last.intervals],
			empty: "No message matches the filter in this time.",
		});
	};
	const refresh = async () => {
		asked?.abort();
		asked = new AbortController();
		const bytes = by.value === "bytes";
		const request = { by: bytes ? "protocol" : by.value, intervals: 200, filter: bytes ? "" : app.condition(), round: true };
		[request.from, request.to] = app.range ?? [0, app.state.seconds];
		await app.whole("rates", request, {
			signal: asked.signal, onPart: (answer) => {
				const all = answer.bytes.reduce((a, b) => a + b, 0);
				last = bytes ? { ...answer, series: [{ name: "bytes", total: all, counts: answer.bytes }] } : answer;
				last.series = last.series.filter(({ total }) => total > 0);
				draw();
			},
		});
	};
	by.addEventListener("change", () => refresh().catch((error) => app.complain(error)));
	form.addEventListener("change", () => last && draw());
	return {
		refresh, element: el("div", {}, el("div", { class: "asking" }, el("label", {}, "by ", by), el("label", {}, "as ", form),
			el("span", { class: "dim" }, "Drag to select a range; click to see the messages at a time")), chart.element),
	};
}

function lengthOf(interval) {
	return interval === 1 ? "second" : interval < 1 ? span(interval) : number(interval) + " s";
}

// lookAt selects the first message at or after a time. It relies on rows being in time order, with few exceptions.
async function lookAt(app, time) {
	let [least, most] = [0, app.state.rows - 1];
	while (least < most) {
		const middle = (least + most) >> 1;
		const { rows } = await app.ask("rows", { from: middle, count: 1 });
		if (rows[0].time < time) {
			least = middle + 1;
		} else {
			most = middle;
		}
	}
	app.look(least);
}
