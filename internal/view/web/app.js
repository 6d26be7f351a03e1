// app.js is the state that the parts of the page share: the capture, the filter, the selected message, and the time
// range. Parts change it through methods of App and listen to its events.

import { Refused } from "gamedissect/ask";

// App sends events on changes: "state" (more packets were read), "filter", "row", "range", "view", "notes", "good",
// "say".
export class App extends EventTarget {
	engine = null;
	state = null; // the latest answer of the operation step
	filter = ""; // the current filter
	row = -1; // the selected row; -1: none
	about = ""; // the rule whose finding the user followed to the message, or ""
	range = null; // [from, to] in seconds; null: everything
	offered = -1; // the row that the page selected by itself; -1: none
	once = false; // hide messages that the server had already sent to another client
	view = "overview";
	wanted = {}; // what the next view is to show, see show
	views = ["overview"]; // names of the views
	notes = new Map(); // row -> text
	good; // names of the good captures to compare with
	setup;
	#offers = false;

	constructor(setup) {
		super();
		this.setup = setup;
		this.good = [...setup.good ?? []];
		for (const note of setup.notes ?? []) {
			this.notes.set(note.row, note.text);
		}
	}

	// on calls f now, and after each event that has one of the names.
	on(events, f) {
		for (const event of events.split(" ")) {
			this.addEventListener(event, () => f());
		}
		f();
	}

	tell(event) {
		this.dispatchEvent(new Event(event));
	}

	ask(op, request, how) {
		return this.engine.ask(op, request, how);
	}

	whole(op, request, how) {
		return this.engine.whole(op, request, how);
	}

	// look selects the message in the given row; -1 selects none. about is the rule whose findings the details mark.
	look(row, about = "") {
		if (row !== this.row || about !== this.about && about !== "") {
			this.row = row;
			this.about = about;
			this.tell("row");
		}
	}

	// show opens another view at a target: {section, tables, protocol, text} or {section, whats, whose} in the
	// statistics, {rule} in the findings, or {server, who} in the time line.
	show(view, wanted = {}) {
		if (view !== this.view) {
			this.wanted = wanted;
			this.view = view;
			this.tell("view");
		}
	}

	// take returns a view's target and clears it, so that the view does not return to the target later.
	take() {
		const { wanted } = this;
		this.wanted = {};
		return wanted;
	}

	// sift applies a filter. If the engine rejects the filter, sift throws Refused and keeps the previous filter.
	async sift(text) {
		text = text.trim();
		if (text !== "") {
			await this.ask("filter", { text, ms: 0 });
		}
		if (text !== this.filter) {
			this.filter = text;
			this.tell("filter");
		}
	}

	// narrow adds a condition to the filter.
	async narrow(condition) {
		const old = this.filter;
		const both = old === "" || old === condition ? condition : "(" + old + ") && (" + condition + ")";
		await this.sift(both);
	}

	// condition returns the filter. If the user hides copies, the result also excludes copies.
	condition() {
		return all(this.filter, this.once && "!copy");
	}

	// during returns the same as condition, limited to the selected time range.
	during() {
		return all(this.condition(), this.range &&
			"frame.time_relative >= " + this.range[0].toFixed(9) + " && frame.time_relative <= " + this.range[1].toFixed(9));
	}

	// offer selects the first message with a finding, or the first message if there are no findings. It does nothing if
	// a message is already selected.
	async offer() {
		const found = Object.values(this.state.findings).some((n) => n > 0);
		if (this.#offers || this.row >= 0 || this.state.rows === 0 || !found && !this.state.done) {
			return;
		}
		this.#offers = true;
		const filter = this.during();
		let { row } = await this.whole("next", { row: -1, filter });
		if (row < 0) {
			const { rows } = await this.ask("rows", { filter, count: 1 });
			row = rows[0]?.row ?? -1;
		}
		if (filter !== this.during()) { // the filter or the range changed in the meantime
			this.#offers = false;
			return this.offer();
		}
		if (this.row < 0) {
			this.offered = row;
			this.look(row);
		}
	}

	// span sets the time range; null means everything.
	span(range) {
		this.range = range;
		this.tell("range");
	}

	note(row, text) {
		if (text.trim() === "") {
			this.notes.delete(row);
		} else {
			this.notes.set(row, text.trim());
		}
		this.tell("notes");
	}

	// say shows a text in the status line and announces it to screen readers.
	say(text, kind = "") {
		this.said = { text, kind };
		this.tell("say");
	}

	// complain shows an error, unless the request was cancelled.
	complain(error) {
		if (error?.name !== "AbortError") {
			this.say(error.message, "error");
			if (!(error instanceof Refused)) {
				console.warn(error.message);
			}
		}
	}

	// link returns the part of the page's address after #, for the current place or another one.
	link({ row = this.row, view = this.view, filter = this.filter, range = this.range } = {}) {
		const parts = new URLSearchParams();
		if (view !== (row >= 0 || filter !== "" || range ? "messages" : "overview")) {
			parts.set("v", view);
		}
		if (row >= 0) {
			parts.set("m", String(row));
		}
		if (filter !== "") {
			parts.set("f", filter);
		}
		if (range) {
			parts.set("t", range.map((s) => s.toFixed(6)).join("-"));
		}
		return "#" + parts;
	}

	// follow opens the place that a link names.
	async follow(hash) {
		const parts = new URLSearchParams(hash.replace(/^#/, ""));
		this.show(this.views.find((name) => name === parts.get("v")) ?? (parts.size > 0 ? "messages" : "overview"));
		this.span(rangeIn(parts.get("t") ?? ""));
		const row = Number.parseInt(parts.get("m") ?? "-1", 10);
		this.look(Number.isSafeInteger(row) ? Math.max(row, -1) : -1);
		const filter = parts.get("f") ?? "";
		try {
			await this.sift(filter);
		} catch (error) {
			if (error instanceof Refused) {
				error.message = "The link has an invalid filter: " + error.message + ": " + shortened(filter);
			}
			throw error;
		}
	}
}

// all joins conditions with &&.
function all(filter, condition) {
	return !condition ? filter : filter === "" ? condition : "(" + filter + ") && " + condition;
}

const mostSeconds = 9e9; // the maximum difference between packets that 64 bits can hold in nanoseconds

// rangeIn returns the time range in a link, or null.
function rangeIn(text) {
	const range = text.match(/^(-?\d+(?:\.\d+)?)-(-?\d+(?:\.\d+)?)$/)?.slice(1).map(Number);
	return range && range[0] <= range[1] && range.every((s) => Math.abs(s) < mostSeconds) ? range : null;
}

function shortened(text) {
	const letters = [...text];
	return letters.length > 60 ? letters.slice(0, 60).join("") + " …" : text;
}
