// compare.js shows what is worse than in the good captures, as gamedissect diff does. For each difference, it shows the
// messages of both captures.

import { App } from "gamedissect/app";
import { el } from "gamedissect/dom";
import { detailPane } from "gamedissect/detail";
import { counted, middleCut } from "gamedissect/format";
import { matches } from "gamedissect/matches";
import { messages } from "gamedissect/messages";

export const compare = { name: "compare", title: "Compare", make: (app) => new Compare(app).element, cannot };

function cannot({ good }) {
	return good.length > 0 ? "" : "There is no good capture to compare with: drop one on the page, or start gamedissect view NOW --diff GOOD.";
}

// addGood opens good captures that the user dropped or selected. It then shows the differences.
export async function addGood(app, files) {
	for (const file of files) {
		app.say("Opening " + file.name + " …");
		await app.engine.add(file);
		app.good.push(file.name);
	}
	app.say("");
	app.show("compare");
	app.tell("good");
}

const step = { bytes: 4 << 20, ms: 25 };

class Compare {
	#app;
	#busy = false;
	#wanted = 0; // number of good captures in the latest comparison
	#head = el("div", { class: "verdict", "aria-live": "polite" });
	#list = el("div", { class: "differences", hidden: true });
	#sides = el("div", { class: "sides", hidden: true });
	#good; // the list of the good capture
	#now;

	constructor(app) {
		this.#app = app;
		const input = el("input", { type: "file", class: "unseen", multiple: true, "aria-label": "Good captures", onchange: () => {
			addGood(app, [...input.files]).catch((error) => app.complain(error));
			input.value = "";
		} });
		const asking = el("div", { class: "asking" }, el("label", { class: "quiet" }, input, "Add a good capture …"));
		this.element = el("div", { class: "comparison" }, el("div", { class: "top-line" }, this.#head, asking), this.#list, this.#sides);
		this.element.addEventListener("shown", () => this.#refresh());
		app.on("good state", () => this.#refresh());
	}

	async #refresh() {
		const app = this.#app;
		if (app.view !== "compare" || this.#busy) {
			return;
		}
		if (app.good.length === 0) {
			this.#head.replaceChildren(el("p", { class: "empty" }, cannot(app)));
			return;
		}
		if (!app.state.done) {
			this.#head.replaceChildren(el("p", { class: "empty" }, "The captures are compared once this one is read."));
			return;
		}
		if (this.#wanted === app.good.length) {
			return;
		}
		this.#busy = true;
		const before = this.#wanted;
		this.#wanted = app.good.length;
		try {
			const states = await this.#read();
			this.#show(await app.whole("compare", { ms: 50 }), states);
		} catch (error) {
			this.#wanted = before;
			this.#head.replaceChildren(el("p", { class: "empty" }, error.message));
		}
		this.#busy = false;
		if (this.#wanted !== app.good.length) {
			this.#refresh();
		}
	}

	// #read reads the good captures to their ends. It returns their states.
	async #read() {
		const states = [];
		for (const [i, name] of this.#app.good.entries()) {
			for (let state = { done: false }; !state.done; states[i] = state) {
				state = await this.#app.ask("step", step, { later: true, of: i + 1 });
				const part = Math.floor(100 * state.read / (state.size || 1));
				this.#head.replaceChildren(el("p", { class: "empty", role: "status" }, "Reading " + name + ": " + part + " %"));
			}
		}
		return states;
	}

	#show(answer, states) {
		const { captures, capture, verdict, partial, differences, numbers, way = [], extent, parting } = answer;
		this.#head.replaceChildren(
			el("h2", {}, (captures.length > 1 ? counted(captures.length, "good capture") : captures[0]) + " → " + capture + " ",
				el("strong", { class: "is " + verdict.replace(" ", "-") }, verdict)),
			...partial.map((why) => el("p", { class: "why" }, "? " + why)),
			el("p", { class: "dim" }, "good: " + extent[0] + " · now: " + extent[1]),
			...states.filter(({ error, left_out: less }) => error || less)
				.map(({ name, error, left_out: less }) => el("p", { class: "why" }, name + ": " + (error || less))));
		const lead = (filters, frames, rule) => filters && (filters.good || filters.now)
			? ({ currentTarget }) => this.#lead(filters, frames, rule, currentTarget) : null;
		const lines = differences.map((d, i) => line(d, numbers[i], lead(d.filters, [0, d.frame ?? 0], d.rule)));
		const parted = way.length > 0 ? [el("button", {
			type: "button", class: "parting mono", onclick: lead(parting.filters, parting.frames, ""),
		}, way.join("\n"))] : [];
		this.#list.replaceChildren(...(lines.length > 0 ? [el("table", {},
			el("thead", {}, el("tr", {}, ["", "what", "good", "now", "example"].map((name, i) =>
				el("th", { scope: "col", class: i === 2 || i === 3 ? "number" : "" }, name || el("span", { class: "unseen" }, "verdict"))))),
			el("tbody", {}, lines))] : [el("p", { class: "empty" }, verdict === "same" ? "Nothing differs." : "")]), ...parted);
		this.#list.hidden = false;
		this.#sides.hidden = lines.length === 0;
		this.#good?.end();
		this.#now?.end();
		this.#good = new Side(this.#app, "good", captures.map((name, i) => ({ name, of: i + 1, state: states[i] })));
		this.#now = new Side(this.#app, "now", [{ name: capture, of: 0, state: this.#app.state }]);
		this.#sides.replaceChildren(this.#good.element, this.#now.element);
		this.#list.querySelector("button:not(:disabled)")?.click();
	}

	// #lead shows the messages of a difference in both captures.
	#lead(filters, [good, now], rule, chosen) {
		for (const button of this.#list.querySelectorAll("button")) {
			button.setAttribute("aria-pressed", String(button === chosen));
		}
		this.#good.lead(filters.good ?? "", filters.in, good, rule);
		this.#now.lead(filters.now ?? "", 0, now, rule);
	}
}

// line makes the row of a difference.
function line(d, [good, now], onclick) {
	return el("tr", { class: d.worse ? "worse" : "" },
		el("td", {}, d.worse ? el("span", { title: "worse" }, "!") : ""),
		el("td", {}, el("button", { type: "button", class: "way", disabled: !onclick, onclick }, d.what)),
		el("td", { class: "number" }, good), el("td", { class: "number" }, now), el("td", { class: "note", title: d.note ?? "" }, d.note ?? ""));
}

// A Side is the list of messages of one capture out of several, with the selected message below.
class Side {
	#app; // the App of the page
	#captures;
	#stage = el("div", { class: "side-stage" });
	#told = el("span", { class: "dim" });
	#which;
	#shown = null; // {app, element}
	#made = new Map();

	constructor(app, title, captures) {
		this.#app = app;
		this.#captures = captures;
		this.#which = captures.length > 1 ? el("select", { "aria-label": "Good capture", onchange: () => this.#open(Number(this.#which.value), "") },
			captures.map(({ name }, i) => el("option", { value: i, title: name }, middleCut(name, 36)))) : el("span", { class: "file" }, captures[0].name);
		const all = el("button", { type: "button", class: "quiet", onclick: () => this.#shown?.app.sift("") }, "All messages");
		const to = captures[0].of === 0 ? el("button", { type: "button", class: "quiet", onclick: () => this.#leave() }, "Open in Messages") : null;
		this.element = el("section", { class: "side", "aria-label": title },
			el("header", {}, el("h3", {}, title), this.#which, this.#told, all, to), this.#stage);
	}

	// lead shows the messages that match a filter, beginning at a packet. Without a filter, it shows all messages.
	async lead(filter, at, frame, rule) {
		try {
			await this.#open(Math.min(at, this.#captures.length - 1), filter);
			const { app } = this.#shown;
			if (filter === "") {
				app.look(-1);
				return;
			}
			const from = frame > 0 ? "(" + filter + ") && frame.number >= " + frame : filter;
			const { rows } = await app.whole("rows", { filter: from, count: 1 }, { later: false });
			if (app.filter === filter) {
				app.look(rows[0]?.row ?? -1, rule ?? "");
			}
		} catch (error) {
			this.#app.complain(error);
		}
	}

	async #open(i, filter) {
		if (this.#which.localName === "select") {
			this.#which.value = i;
		}
		const made = this.#made.get(i) ?? this.#make(this.#captures[i]);
		this.#made.set(i, made);
		if (this.#shown !== made) {
			this.#stage.replaceChildren(made.element);
			made.list.dispatchEvent(new Event("shown"));
			this.#shown = made;
		}
		await made.app.sift(filter);
		made.app.tell("matches");
	}

	#make({ of, state }) {
		const app = new App({ ...this.#app.setup, notes: [] });
		app.engine = this.#app.engine.of(of);
		app.state = state;
		app.offer = async () => {}; // this view selects only the messages of a difference
		app.addEventListener("say", () => this.#app.say(app.said.text, app.said.kind));
		matches(app);
		const list = messages.make(app);
		const detail = detailPane(app);
		app.on("row", () => {
			detail.hidden = app.row < 0;
		});
		app.on("matches", () => {
			this.#told.textContent = counted(app.matches.total, app.filter === "" ? "message" : "match", app.filter === "" ? "messages" : "matches");
			this.#told.title = app.filter;
		});
		return { app, list, element: el("div", { class: "side-body" }, list, detail) };
	}

	// #leave opens the messages in the view of messages.
	async #leave() {
		const app = this.#app;
		if (this.#shown) {
			await app.sift(this.#shown.app.filter);
			app.show("messages");
			app.look(this.#shown.app.row);
		}
	}

	// end stops all work of the side.
	end() {
		for (const { list } of this.#made.values()) {
			list.dispatchEvent(new Event("hidden"));
		}
	}
}
