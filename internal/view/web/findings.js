// findings.js lists findings by rule, starting with the most severe rule. For each rule, it shows the reason for the
// rule, the programs that broke it, and each case.

import { badge, el } from "gamedissect/dom";
import { count, counted } from "gamedissect/format";
import { RuleSection } from "gamedissect/rulesection";

export const findings = { name: "findings", title: "Findings", make: (app) => new Findings(app).element, cannot };

function cannot({ state }) {
	const none = state.done && Object.values(state.findings).every((n) => n === 0);
	return none ? "This capture has no findings." : "";
}

const severities = ["error", "warning", "note"];
const rereadAfter = 1000; // milliseconds between updates while the capture is being read

class Findings {
	#app;
	#rules = []; // the engine's answer
	#sections = new Map(); // by rule
	#boxes = new Map(); // by severity
	#shown = false;
	#work = null;
	#told = ""; // the filter and the number of rows for which findings are shown
	#last = 0;
	#list = el("div", { class: "rules" });
	#nothing = el("p", { class: "empty", hidden: true });
	#search = el("input", { type: "search", placeholder: "Search rules", "aria-label": "Search rules", oninput: () => this.#sift() });
	#counts = el("span", { class: "counts dim" });

	constructor(app) {
		this.#app = app;
		this.element = el("div", { class: "findings-list" }, this.#bar(), this.#list, this.#nothing);
		this.element.addEventListener("shown", () => {
			this.#shown = true;
			this.#open();
			this.#ask();
		});
		this.element.addEventListener("hidden", () => {
			this.#shown = false;
			this.#work?.abort();
			this.#work = null;
		});
		for (const event of ["filter", "range", "once", "state"]) {
			app.addEventListener(event, () => this.#shown && this.#ask());
		}
		app.addEventListener("row", () => this.#mark());
		this.element.addEventListener("keydown", (event) => this.#key(event));
	}

	#bar() {
		const boxes = severities.map((severity) => {
			const box = el("input", { type: "checkbox", checked: true, onchange: () => this.#sift() });
			const number = el("span", {});
			this.#boxes.set(severity, { box, number });
			return el("label", {}, box, " ", badge(severity, severity + "s"), " ", number);
		});
		return el("div", { class: "bar" }, boxes, this.#search, this.#counts);
	}

	// #ask requests an update if the last one is old enough.
	async #ask() {
		const { rows, done } = this.#app.state;
		const filter = this.#app.during();
		const what = JSON.stringify([filter, rows, done]);
		const same = this.#told !== "" && JSON.parse(this.#told)[0] === filter;
		if (what === this.#told || this.#work && same || same && !done && performance.now() - this.#last < rereadAfter) {
			return;
		}
		this.#work?.abort();
		const { signal } = this.#work = new AbortController();
		this.#told = what;
		try {
			const answer = await this.#app.whole("findings", { filter }, { signal, onPart: (part) => !signal.aborted && this.#show(part) });
			this.#show(answer);
		} catch (error) {
			this.#app.complain(error);
			if (!signal.aborted) {
				this.#work = null;
				this.#told = "";
				return; // an immediate retry would fail, too
			}
		}
		if (!signal.aborted) {
			this.#work = null;
			this.#last = performance.now();
			this.#ask(); // more was read in the meantime
		} else if (!this.#shown) {
			this.#told = "";
		}
	}

	#show({ rules, done }) {
		this.#rules = rules;
		const now = new Set(rules.map(({ rule }) => rule));
		for (const [rule, section] of this.#sections) {
			if (!now.has(rule)) {
				section.element.remove();
				this.#sections.delete(rule);
			}
		}
		for (const rule of rules) {
			const section = this.#sections.get(rule.rule) ?? new RuleSection(this.#app, () => this.#mark());
			this.#sections.set(rule.rule, section);
			section.show(rule);
		}
		const order = rules.map(({ rule }) => this.#sections.get(rule).element);
		if (order.some((element, i) => this.#list.children[i] !== element)) {
			this.#list.replaceChildren(...order);
		}
		this.#sift(done);
		this.#open();
	}

	// #open unfolds the requested rule as soon as that rule exists.
	#open() {
		const section = this.#sections.get(this.#app.wanted.rule);
		if (section) {
			this.#app.take();
			section.open();
		}
	}

	// #visible returns the rules that match the boxes and the search.
	#visible() {
		const word = this.#search.value.trim().toLowerCase();
		return this.#rules.filter(({ severity, rule, title, why, example, protocol }) => this.#boxes.get(severity)?.box.checked !== false
			&& [rule, title, why, example, protocol].some((text) => text?.toLowerCase().includes(word)));
	}

	#sift(done = this.#work === null) {
		const visible = new Set(this.#visible().map(({ rule }) => rule));
		for (const [rule, { element }] of this.#sections) {
			element.hidden = !visible.has(rule);
		}
		for (const [severity, { number }] of this.#boxes) {
			number.textContent = count(this.#rules.reduce((n, rule) => n + (rule.severity === severity ? rule.count : 0), 0));
		}
		const all = this.#rules.reduce((n, rule) => n + (visible.has(rule.rule) ? rule.count : 0), 0);
		this.#counts.textContent = visible.size === 0 ? "" : counted(all, "finding") + " of " + counted(visible.size, "rule");
		this.#nothing.hidden = visible.size > 0;
		this.#nothing.textContent = this.#why(done);
		this.#mark();
	}

	// #why explains an empty list. It says that there are no findings only if that is certain.
	#why(done) {
		const { state, filter, range } = this.#app;
		if (this.#rules.length > 0) {
			return "The boxes and the search above hide all findings.";
		} else if (!done || !state.done) {
			return "No findings so far. Still reading.";
		} else if (filter !== "" || range) {
			return "No findings in the messages that match the filter" + (range ? " in this time range." : ".");
		} else if (state.messages === 0) {
			return "There is no message of a known protocol, so no rule was checked.";
		} else if (state.error || state.left_out) {
			return "No findings in the part that could be read.";
		}
		return "No findings: the traffic breaks no rule. Attempts that failed are in the Overview.";
	}

	// #mark marks the selected message.
	#mark() {
		for (const section of this.#sections.values()) {
			section.mark(this.#app.row);
		}
	}

	// #key moves through the cases of all visible rules.
	#key(event) {
		const step = { n: 1, N: -1 }[event.key];
		if (!step || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=checkbox])")) {
			return;
		}
		event.preventDefault();
		const cases = this.#visible().flatMap(({ rule, rows }) => rows.map((row) => ({ rule, row })));
		if (cases.length === 0) {
			return;
		}
		const about = event.target.closest("[data-rule]")?.dataset.rule;
		let at = cases.findIndex(({ rule, row }) => row === this.#app.row && rule === (this.#app.about || about));
		if (at < 0 && about) {
			at = cases.findIndex(({ rule }) => rule === about) - (step > 0 ? 1 : 0);
		}
		const next = cases[(at + step + cases.length) % cases.length];
		this.#sections.get(next.rule).go(next.row);
	}
}
