// kills.js shows who killed whom, in one matrix per server, and lists the kills.

import { el } from "gamedissect/dom";
import { count, counted, seconds } from "gamedissect/format";

export const kills = { name: "kills", title: "Who killed whom", make };

const mostListed = 200;
const itself = "(self)"; // the name of the killer if a player destroys himself

// told says who killed whom; null means anybody.
function told(who, whom) {
	return who === itself ? (whom ?? "anybody") + " killed itself" : (who ?? "anybody") + " killed " + (whom ?? "anybody");
}

function make(app, scope) {
	const pane = el("div", { class: "matrices" });
	const deeds = el("section", { class: "deeds", "aria-live": "polite" });
	let asked = null;
	const open = async (matrix, who, whom) => {
		asked?.abort();
		asked = new AbortController();
		const request = { server: matrix.server, count: 20_000, filter: app.during() };
		const { events } = await app.whole("timeline", request, { signal: asked.signal });
		const killer = (event) => event.who === event.whom ? itself : event.who;
		const list = events.filter((event) => event.event === "kill" &&
			(who === null || killer(event) === who) && (whom === null || event.whom === whom));
		show(app, deeds, list, told(who, whom));
	};
	const pick = (matrix, who, whom) => open(matrix, who, whom).catch((error) => app.complain(error));
	return {
		element: el("div", {}, pane, deeds),
		refresh: async () => {
			const { matrices } = await scope.counted();
			const shown = matrices.filter(({ server }) => scope.server === "" || server === scope.server);
			pane.replaceChildren(...shown.map((matrix) => table(matrix, (who, whom) => pick(matrix, who, whom))));
			if (shown.length === 0) {
				pane.append(el("p", { class: "empty" }, app.state.done ? "Nobody was killed in this capture." : "Nobody was killed so far."));
			}
		},
	};
}

// table returns a table with killers as rows and victims as columns. The darker a cell, the higher the count.
function table({ title, server, who, whom, counts, total, left_out: leftOut }, pick) {
	const most = Math.max(1, ...counts.flat());
	const shade = (n) => "color-mix(in srgb, var(--chosen) " + Math.round(n / most * 100) + "%, var(--panel))";
	const cell = (n, a, b, name) => el("td", { class: "number", style: { background: shade(n) } }, n === 0 ? "" : el("button", {
		type: "button", "aria-label": name + ": " + counted(n, "time"), onclick: () => pick(a, b),
	}, count(n)));
	const sum = (n, a, b, name) => el("td", { class: "number sum" }, el("button", {
		type: "button", "aria-label": name + ": " + count(n), onclick: () => pick(a, b),
	}, count(n)));
	return el("div", { class: "matrix" }, el("table", {},
		el("caption", {}, title + (server ? " at " + server : "")),
		el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "who > whom"),
			whom.map(({ name }) => el("th", { scope: "col", class: "number" }, name)),
			el("th", { scope: "col", class: "number" }, "total"))),
		el("tbody", {}, who.map((killer, i) => el("tr", {}, el("th", { scope: "row" }, killer.name),
			whom.map((victim, k) => cell(counts[i][k], killer.name, victim.name, told(killer.name, victim.name))),
			sum(killer.count, killer.name, null, told(killer.name, null))))),
		el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, "total"),
			whom.map(({ name, count: n }) => sum(n, null, name, name + " was killed")),
			sum(total, null, null, "all")))),
	leftOut > 0 ? el("p", { class: "dim" }, counted(leftOut, "name") + " more: the table of kills has them all.") : null);
}

function show(app, deeds, list, what) {
	const rows = list.slice(-mostListed).reverse();
	deeds.replaceChildren(el("h2", {}, what + ": " + counted(list.length, "time") + ", newest first"),
		el("ul", {}, rows.map((event) => el("li", {}, el("button", { type: "button", class: "deed", onclick: () => app.look(event.row) },
			el("span", { class: "time" }, seconds(event.time)), " ", event.text)))),
		list.length > rows.length ? el("p", { class: "dim" }, count(list.length - rows.length) + " earlier ones are in the time line.") : "");
	if (list.length === 0) {
		deeds.append(el("p", { class: "dim" }, "None matches the filter and the range."));
	}
}
