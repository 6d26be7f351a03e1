// rulesection.js shows a broken rule. When folded, it has one line. When unfolded, it also has the reason for the rule,
// the programs that broke the rule, and each case.

import { badge, el } from "gamedissect/dom";
import { count, counted, seconds } from "gamedissect/format";

export class RuleSection {
	#app;
	#changed; // called after rows have been added
	#rule = { rows: [], by: [] };
	#drawn = ""; // the current content of the body
	#rowsWork = null;
	#summary = el("summary", {});
	#body = el("div", { class: "body-of-rule" });
	#links = new Map(); // row -> link to the row

	constructor(app, changed) {
		this.#app = app;
		this.#changed = changed;
		this.element = el("details", { class: "rule", ontoggle: () => this.#unfolded() }, this.#summary, this.#body);
	}

	// show updates the rule. Elements that have not changed stay, and keep the focus.
	show(rule) {
		const old = this.#rule;
		this.#rule = rule;
		this.element.dataset.rule = rule.rule;
		this.element.classList.add(rule.severity);
		if (old.count !== rule.count) {
			this.#summary.replaceChildren(
				badge(rule.severity), el("span", { class: "count" }, count(rule.count)),
				el("span", { class: "title" }, rule.title), el("span", { class: "mono dim id" }, rule.rule),
				el("span", { class: "example dim" }, rule.example));
		}
		this.#unfolded();
	}

	#unfolded() {
		const { rule, count: number, rows } = this.#rule;
		const now = rule + " " + number + " " + rows.length;
		if (!this.element.open || now === this.#drawn) {
			return;
		}
		const same = this.#drawn !== "" && this.#links.size === rows.length;
		this.#drawn = now;
		const first = number > rows.length ? "The first " : "";
		const cases = same ? this.#body.querySelector(".cases") : el("ol", { class: "cases", "aria-label": "Cases" });
		this.#body.replaceChildren(
			el("p", {}, this.#rule.why), this.#rule.rests && el("p", { class: "dim" }, this.#rule.rests),
			this.#rule.source && el("p", { class: "dim" }, "Source: " + this.#rule.source),
			el("p", { class: "do" },
				el("button", { type: "button", class: "button", onclick: () => this.#sift(this.#rule.filter) }, "Show these messages"),
				el("button", {
					type: "button", class: "quiet", title: this.#rule.filter, onclick: () => this.#narrow(this.#rule.filter),
				}, "Add to the filter")),
			this.#byWhom(),
			el("h2", {}, first + counted(rows.length, "message")), cases);
		if (!same) {
			this.#addCases(cases).catch((error) => this.#app.complain(error));
		}
	}

	// open unfolds the rule and scrolls to it.
	open() {
		this.element.open = true;
		this.#summary.focus();
		this.element.scrollIntoView({ block: "start" });
	}

	#byWhom() {
		const { by, by_left: left } = this.#rule;
		const known = by.filter(({ who }) => who !== "");
		if (known.length === 0) {
			return "";
		}
		return el("table", {}, el("caption", {}, "Sent by"),
			el("thead", {}, el("tr", {}, ["who", "count", "an example"].map((text) => el("th", { scope: "col" }, text)))),
			el("tbody", {}, known.map(({ who, count: number, row, example }) => el("tr", {},
				el("td", {}, el("button", {
					type: "button", class: "link mono", title: "Filter: this rule, sent by " + who, onclick: () => this.#narrow(sentBy(this.#rule, who)),
				}, who)),
				el("td", { class: "number" }, count(number)),
				el("td", {}, this.#link(row, example)))),
			left ? el("tr", {}, el("td", { colspan: 3, class: "dim" }, "and " + counted(left, "other"))) : ""));
	}

	// #addCases requests the rows and lists a link to each of them.
	async #addCases(list) {
		this.#rowsWork?.abort();
		const { signal } = this.#rowsWork = new AbortController();
		const { rows } = await this.#app.ask("rows", { only: this.#rule.rows }, { signal });
		if (signal.aborted) {
			return;
		}
		this.#links = new Map();
		list.replaceChildren(...rows.map((row) => {
			const link = this.#link(row.row, el("span", { class: "frame", title: "frame" }, row.frame), el("span", { class: "time" }, seconds(row.time)),
				el("span", { class: "name" }, row.finding ? "" : row.name ?? row.code ?? ""), el("span", { class: "said" }, row.summary ?? ""));
			this.#links.set(row.row, link);
			return el("li", {}, link);
		}));
		this.#changed();
		if (this.#wanted >= 0) {
			this.go(this.#wanted);
		}
	}

	#link(row, ...children) {
		return el("a", {
			href: this.#app.link({ row, view: "findings" }), onclick: (event) => {
				event.preventDefault();
				this.#app.look(row, this.#rule.rule);
			},
		}, ...children);
	}

	// mark marks the selected row.
	mark(row) {
		for (const [number, link] of this.#links) {
			if (number === row) {
				link.setAttribute("aria-current", "true");
			} else {
				link.removeAttribute("aria-current");
			}
		}
	}

	#wanted = -1; // row to focus when it is listed; -1: none

	// go selects a row of the rule, and unfolds the rule to show it.
	go(row) {
		this.element.open = true;
		const link = this.#links.get(row);
		this.#wanted = link ? -1 : row;
		link?.focus();
		link?.scrollIntoView({ block: "nearest" });
		this.#app.look(row, this.#rule.rule);
	}

	async #sift(filter) {
		try {
			await this.#app.sift(filter);
			this.#app.show("messages");
		} catch (error) {
			this.#app.complain(error);
		}
	}

	#narrow(filter) {
		this.#app.narrow(filter).catch((error) => this.#app.complain(error));
	}
}

// sentBy returns the filter for those findings about a rule that one program or host caused.
function sentBy({ filter }, who) {
	const at = who.lastIndexOf(":");
	const host = who.slice(0, at).replace(/^\[|\]$/g, "");
	const port = who.slice(at + 1);
	const address = (host.includes(":") ? "ipv6" : "ip") + ".src == " + host;
	return filter + " && " + address + " && (udp.srcport == " + port + " || tcp.srcport == " + port + ")";
}
