// app.js is what the parts of the page have in common: the capture, the filter, the message that is looked at, and the
// range of time. Whoever changes one of them does it here; whoever shows it listens.

import { Refused } from "gamedissect/ask";

// App tells of changes by events: "state" (reading got on), "filter", "row", "range", "view", "notes", "say".
export class App extends EventTarget {
	engine = null;
	state = null; // the last answer of step
	filter = ""; // that is in force
	row = -1; // that is looked at; -1: none
	about = ""; // the rule that it is looked at for
	range = null; // [from, to] in seconds, or null for all
	offered = -1; // the row that the page chose by itself
	once = false; // leave out what was told before to somebody else
	view = "overview";
	wanted = {}; // of the view
	views = ["overview"]; // the names of those that there are
	notes = new Map(); // row -> text
	setup;
	#offers = false;

	constructor(setup) {
		super();
		this.setup = setup;
		for (const note of setup.notes ?? []) {
			this.notes.set(note.row, note.text);
		}
	}

	// on calls f now and whenever one of the events comes.
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

	// look shows a message, by the number of its row; -1: none. What broke the rule that it is about is marked.
	look(row, about = "") {
		if (row !== this.row || about !== this.about && about !== "") {
			this.row = row;
			this.about = about;
			this.tell("row");
		}
	}

	// show goes to another view, and to what is wanted there: {section, tables, protocol, text} or {section, whats, whose} of
	// the statistics, {rule} of the findings, {server, who} of the time line.
	show(view, wanted = {}) {
		if (view !== this.view) {
			this.wanted = wanted;
			this.view = view;
			this.tell("view");
		}
	}

	// take gives what is wanted of a view. It does so once, so that the user may go on from there.
	take() {
		const { wanted } = this;
		this.wanted = {};
		return wanted;
	}

	// sift puts a filter in force. One that the engine refuses is thrown as Refused, and the old one stays.
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

	// narrow adds a condition to the filter that is in force.
	async narrow(condition) {
		const old = this.filter;
		const both = old === "" || old === condition ? condition : "(" + old + ") && (" + condition + ")";
		await this.sift(both);
	}

	// condition is the filter that is in force, without what was told before if that is wanted.
	condition() {
		return all(this.filter, this.once && "!copy");
	}

	// during is that, and within the range if there is one.
	during() {
		return all(this.condition(), this.range &&
			"frame.time_relative >= " + this.range[0].toFixed(9) + " && frame.time_relative <= " + this.range[1].toFixed(9));
	}

	// offer chooses the first message with a finding, or the first one, if nothing was chosen so far.
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
		if (filter !== this.during()) { // another one came meanwhile
			this.#offers = false;
			return this.offer();
		}
		if (this.row < 0) {
			this.offered = row;
			this.look(row);
		}
	}

	// span chooses a range of time; null: all.
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

	// say tells the user something, in the status line and to screen readers.
	say(text, kind = "") {
		this.said = { text, kind };
		this.tell("say");
	}

	// complain tells of an error, unless it is only that somebody took the request back.
	complain(error) {
		if (error?.name !== "AbortError") {
			this.say(error.message, "error");
			if (!(error instanceof Refused)) {
				console.warn(error.message);
			}
		}
	}

	// link is the part of the address behind # that leads here again.
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

	// follow goes where a link leads.
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
				error.message = "The filter of the link is not good: " + error.message + ": " + shortened(filter);
			}
			throw error;
		}
	}
}

// all joins conditions.
function all(filter, condition) {
	return !condition ? filter : filter === "" ? condition : "(" + filter + ") && " + condition;
}

const mostSeconds = 9e9; // between packets: nanoseconds of 64 bits have no room for more

// rangeIn reads the range of time in a link; null: there is none.
function rangeIn(text) {
	const range = text.match(/^(-?\d+(?:\.\d+)?)-(-?\d+(?:\.\d+)?)$/)?.slice(1).map(Number);
	return range && range[0] <= range[1] && range.every((s) => Math.abs(s) < mostSeconds) ? range : null;
}

function shortened(text) {
	const letters = [...text];
	return letters.length > 60 ? letters.slice(0, 60).join("") + " …" : text;
}
