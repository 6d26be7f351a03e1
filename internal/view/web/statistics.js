// statistics.js is the view of numbers: rates, measurements and tables.

import { el } from "gamedissect/dom";
import { count, seconds } from "gamedissect/format";
import { fieldPlot } from "gamedissect/fieldplot";
import { kills } from "gamedissect/kills";
import { measures } from "gamedissect/measures";
import { rates } from "gamedissect/rates";
import { tables } from "gamedissect/tables";

export const statistics = { name: "statistics", title: "Statistics", make };

// A section is {name, title, make(app, scope)}. make returns {element, refresh()}. A hidden section is not refreshed.
const sections = [rates, measures, fieldPlot, kills, tables];

const oftenest = 2000; // milliseconds between refreshes while the capture is being read

// Scope has what the sections share: the selected server and the tables.
class Scope extends EventTarget {
	server = ""; // "": all servers
	#app;
	#rows = -1;
	#tables = null;

	constructor(app) {
		super();
		this.#app = app;
	}

	// counted returns the answer of the operation stats. It requests a new answer only if more of the capture has been
	// read.
	counted() {
		const rows = this.#app.state.done ? Infinity : this.#app.state.rows;
		if (this.#rows !== rows) {
			this.#rows = rows;
			this.#tables = this.#app.ask("stats", { count: 10_000 }).then((answer) => {
				this.answer = answer;
				this.dispatchEvent(new Event("servers"));
				return answer;
			});
			this.#tables.catch(() => {
				this.#rows = -1;
			});
		}
		return this.#tables;
	}

	only(server) {
		this.server = server;
		this.dispatchEvent(new Event("server"));
	}
}

function make(app) {
	const scope = new Scope(app);
	const stage = el("div", { class: "section" });
	const made = new Map();
	let shown = false;
	let now = sections[0];
	const refresh = () => {
		const section = made.get(now);
		if (shown && section?.stale) {
			section.stale = false;
			section.refreshed = performance.now();
			section.refresh().catch((error) => app.complain(error));
		}
	};
	const staleNow = () => {
		for (const section of made.values()) {
			section.stale = true;
		}
		refresh();
	};
	const buttons = head(app, scope, (section) => show(section));
	const show = (section) => {
		now = section;
		for (const [i, button] of buttons.querySelectorAll(".choice button").entries()) {
			button.setAttribute("aria-pressed", String(sections[i] === section));
		}
		if (!made.has(section)) {
			made.set(section, { ...section.make(app, scope), stale: true, refreshed: 0 });
		}
		stage.replaceChildren(made.get(section).element);
		refresh();
	};
	app.addEventListener("filter", staleNow);
	app.addEventListener("once", staleNow);
	app.addEventListener("range", staleNow);
	scope.addEventListener("server", staleNow);
	app.addEventListener("state", () => {
		if (app.state.done || performance.now() - (made.get(now)?.refreshed ?? 0) > oftenest) {
			staleNow();
		}
	});
	const own = el("div", { class: "numbers" }, buttons, stage);
	own.addEventListener("shown", () => {
		shown = true;
		const section = sections.find(({ name }) => name === app.wanted.section) ?? now;
		if (app.wanted.section && made.has(section)) {
			made.get(section).stale = true;
		}
		show(section);
		scope.counted().catch((error) => app.complain(error));
	});
	own.addEventListener("hidden", () => {
		shown = false;
	});
	return own;
}

function head(app, scope, show) {
	const buttons = sections.map((section) => el("button", {
		type: "button", onclick: () => show(section),
	}, section.title));
	const range = el("span", { class: "range" });
	const clear = el("button", { type: "button", class: "quiet", onclick: () => app.span(null) }, "Whole capture");
	const chosen = el("span", { class: "chosen-range" }, range, clear);
	app.on("range", () => {
		chosen.hidden = !app.range;
		range.textContent = app.range ? seconds(app.range[0]) + " – " + seconds(app.range[1]) + " s" : "";
	});
	return el("div", { class: "numbers-head" }, el("div", { class: "choice", role: "group", "aria-label": "Statistics" }, buttons),
		servers(scope), chosen);
}

function servers(scope) {
	const select = el("select", { "aria-label": "Server", hidden: true, onchange: () => scope.only(select.value) });
	scope.addEventListener("servers", () => {
		const names = new Set();
		for (const { columns, rows } of scope.answer.tables) {
			const at = columns.findIndex(({ name }) => name === "server");
			for (const row of at < 0 ? [] : rows) {
				if (typeof row[at] === "string" && row[at] !== "others") {
					names.add(row[at]);
				}
			}
		}
		if (names.size + 1 === select.options.length) {
			return;
		}
		select.hidden = names.size < 2;
		select.replaceChildren(el("option", { value: "" }, "All " + count(names.size) + " servers"),
			...[...names].map((name) => el("option", { value: name }, name)));
		select.value = scope.server;
	});
	return select;
}
