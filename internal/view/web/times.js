// times.js is the state of the time line: the events, the lives, and the visible part of the time.

import { lastAt } from "gamedissect/column";
import { Lanes, firstFrom } from "gamedissect/lanes";
import { moved, wide, zoomed } from "gamedissect/scale";

// The number of events per request. If there are more events, the visible ones are requested again.
const most = 20_000;

// Times sends the events "lanes", "sight", "chosen", "rates" and "refused".
export class Times extends EventTarget {
	lanes = new Lanes({ events: [], kinds: {}, lives: [] }, { off: new Set(), folded: new Set() });
	bounds = [0, 1];
	sight = [0, 1];
	off = new Set(); // hidden kinds
	folded = new Set(); // servers with hidden players
	server = ""; // the only server that is shown, or "" for all servers
	chosen = null; // an event
	leftOut = 0;
	rates = null; // rates of all messages
	sifted = null; // rates of the rows that match the filter
	#app;
	#answer = null;
	#whole = true; // the whole time is visible, and stays visible while the capture is being read
	#asked = null;

	constructor(app) {
		super();
		this.#app = app;
	}

	#tell(event) {
		this.dispatchEvent(new Event(event));
	}

	// grow adapts the time line to the length of the capture.
	grow() {
		this.bounds = wide(0, this.#app.state.seconds);
		this.see(this.#whole ? this.bounds : this.sight);
	}

	// load requests the events. If there are too many, it requests those that are visible.
	async load() {
		this.#asked?.abort();
		const asked = this.#asked = new AbortController();
		const request = { count: most, server: this.server, filter: this.#app.filter };
		if (this.leftOut > 0 && !this.#whole) {
			[request.from, request.to] = this.sight;
		}
		try {
			this.#answer = await this.#app.whole("timeline", request, { signal: asked.signal });
			this.leftOut = this.#answer.left_out;
			this.arrange();
			await this.#count(asked.signal);
		} catch (error) {
			this.#app.complain(error);
		}
	}

	async #count(signal) {
		const request = { intervals: 400, from: 0, by: "protocol" };
		this.rates = await this.#app.whole("rates", request, { signal });
		this.sifted = this.#app.filter === "" ? null
			: await this.#app.whole("rates", { ...request, filter: this.#app.filter }, { signal });
		this.#tell("rates");
	}

	// arrange sorts the answer into rows.
	arrange() {
		if (!this.#answer) {
			return;
		}
		this.lanes = new Lanes(this.#answer, this);
		const { chosen } = this;
		const same = (e) => e.row === chosen.row && e.event === chosen.event && e.time === chosen.time;
		this.chosen = chosen && (this.lanes.events.find(same) ?? null);
		this.#tell("lanes");
	}

	// only shows the events of one server. "" means all servers.
	only(server) {
		this.server = server;
		return this.load();
	}

	toggle(kind) {
		this.off.has(kind) ? this.off.delete(kind) : this.off.add(kind);
		this.arrange();
	}

	// alone shows only one kind of events. If that kind is already the only one, it shows all kinds again.
	alone(kind) {
		const others = [...this.lanes.kinds.keys()].filter((other) => other !== kind);
		const already = !this.off.has(kind) && others.every((other) => this.off.has(other));
		this.off = new Set(already ? [] : others);
		this.arrange();
	}

	fold(server) {
		this.folded.has(server) ? this.folded.delete(server) : this.folded.add(server);
		this.arrange();
	}

	// see scrolls to a part of the time.
	see([from, to]) {
		const sight = moved(wide(from, to), 0, this.bounds);
		sight[1] = Math.min(sight[1], this.bounds[1]);
		this.#whole = sight[0] <= this.bounds[0] && sight[1] >= this.bounds[1];
		if (sight[0] !== this.sight[0] || sight[1] !== this.sight[1]) {
			this.sight = sight;
			this.#tell("sight");
			if (this.leftOut > 0) {
				clearTimeout(this.waits);
				this.waits = setTimeout(() => this.load(), 250);
			}
		}
	}

	zoom(factor, around = (this.sight[0] + this.sight[1]) / 2) {
		this.see(zoomed(this.sight, factor, around, this.bounds));
	}

	pan(seconds) {
		this.see(moved(this.sight, seconds, this.bounds));
	}

	// choose selects an event and scrolls to it.
	choose(event) {
		this.chosen = event;
		const [from, to] = this.sight;
		if (event && (event.time < from || event.time > to)) {
			this.pan(event.time - (from + to) / 2);
		}
		this.#tell("chosen");
	}

	// step selects the next or the previous event. If a row is given, it stays in that row.
	step(by, lane = null) {
		const list = lane ? lane.marks.filter(({ other }) => !other).map(({ event }) => event) : this.lanes.events;
		if (list.length === 0) {
			return;
		}
		const at = this.chosen ? list.indexOf(this.chosen) : -1;
		const start = firstFrom(list, this.sight[0]);
		const next = at >= 0 ? at + by : by > 0 ? start : start - 1;
		this.choose(list[Math.max(0, Math.min(list.length - 1, next))]);
	}

	// leap goes to the next row that has events, and selects the event nearest in time.
	leap(by) {
		const { rows } = this.lanes;
		const time = this.chosen?.time ?? this.sight[0];
		const from = this.chosen ? rows.indexOf(this.chosen.lane) : by > 0 ? -1 : rows.length;
		for (let i = from + by; i >= 0 && i < rows.length; i += by) {
			const own = rows[i].marks.filter(({ other }) => !other);
			if (own.length > 0) {
				const near = own.reduce((a, b) => Math.abs(b.time - time) < Math.abs(a.time - time) ? b : a);
				this.choose(near.event);
				return;
			}
		}
	}

	// inSight returns the visible events.
	inSight() {
		const { events } = this.lanes;
		const last = lastAt(events, events.length, this.sight[1], ({ time }) => time);
		return events.slice(firstFrom(events, this.sight[0]), last + 1);
	}
}
