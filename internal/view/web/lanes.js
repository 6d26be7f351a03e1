// lanes.js arranges the answer of the operation timeline in rows: servers, and their players below them.

import { bisect } from "gamedissect/column";

const nobody = "(nobody)"; // the killer in events that have no killer

// Lanes has rows {name, server, who, head, lives, marks} in display order. A mark is an event in a row: {event, time,
// kind, other}. If other is true, the row is that of the event's target.
export class Lanes {
	rows = [];
	events = []; // all visible events in time order
	kinds = new Map(); // kind -> count
	#byName = new Map();
	#folded;

	constructor(answer, { off, folded }) {
		this.#folded = folded;
		const groups = groupsOf(answer.lives);
		for (const [server, group] of groups) {
			this.#add(server, group);
		}
		for (const [kind, n] of Object.entries(answer.kinds).sort(([a], [b]) => a < b ? -1 : 1)) {
			this.kinds.set(kind, n);
		}
		for (const event of answer.events) {
			this.#place(event, off);
		}
		for (const row of this.rows) {
			row.marks.sort((a, b) => a.time - b.time);
		}
	}

	#add(server, { own, others }) {
		const folded = this.#folded.has(server);
		const head = { name: server || "no server", server, who: "", head: true, many: others.size, folded, lives: own, marks: [] };
		this.rows.push(head);
		this.#byName.set(server, head);
		for (const [who, lives] of others) {
			const row = folded ? head : { name: who, server, who, head: false, lives, marks: [] };
			this.#byName.set(server + "\n" + who, row);
			if (!folded) {
				this.rows.push(row);
			}
		}
	}

	#row(server, who) {
		return this.#byName.get(server + "\n" + who) ?? this.#byName.get(server) ?? this.#unknown();
	}

	// Events without a server have a separate row.
	#unknown() {
		this.#add("", { own: [], others: new Map() });
		return this.#byName.get("");
	}

	// #die adds a death that no other player caused to the row of the player who died. It counts as a death, not as a
	// kill.
	#die(event, row, off) {
		event.lane = row;
		this.#count("kill", -1);
		this.#count("death", 1);
		if (!off.has("death")) {
			this.events.push(event);
			row.marks.push({ event, time: event.time, kind: "death", other: false });
		}
	}

	#count(kind, by) {
		const n = (this.kinds.get(kind) ?? 0) + by;
		n > 0 ? this.kinds.set(kind, n) : this.kinds.delete(kind);
	}

	#place(event, off) {
		const server = event.server ?? "";
		if (isDeath(event)) {
			this.#die(event, this.#row(server, event.whom ?? event.who), off);
			return;
		}
		const row = this.#row(server, event.who ?? "");
		event.lane = row;
		const shown = !off.has(event.event);
		if (shown) {
			this.events.push(event);
			row.marks.push({ event, time: event.time, kind: event.event, other: false });
		}
		const victim = event.whom ? this.#row(server, event.whom) : row;
		if (victim === row || victim.head) {
			return;
		}
		const death = event.event === "kill";
		if (death) {
			this.#count("death", 1);
		}
		if (death ? !off.has("death") : shown) {
			victim.marks.push({ event, time: event.time, kind: death ? "death" : event.event, other: true });
		}
	}
}

// kindOf returns the kind of an event. A kill for which no other player is the killer is a death.
export function kindOf(event) {
	return isDeath(event) ? "death" : event.event;
}

// isDeath reports whether an event is a death that no other player caused, such as a self-destruct.
function isDeath({ event, who, whom }) {
	return event === "kill" && (!who || who === whom || who === nobody);
}

// groupsOf groups lives by server: the server's own lives, and its players' lives by name.
function groupsOf(lives) {
	const groups = new Map();
	for (const life of lives) {
		const server = life.server ?? "";
		let group = groups.get(server);
		if (!group) {
			groups.set(server, group = { own: [], others: new Map() });
		}
		if (!life.who) {
			group.own.push(life);
		} else if (group.others.has(life.who)) {
			group.others.get(life.who).push(life);
		} else {
			group.others.set(life.who, [life]);
		}
	}
	return groups;
}

// firstFrom returns the index of the first element at or after a time in a list that is sorted by time.
export function firstFrom(list, time) {
	return bisect(list.length, (i) => list[i].time < time);
}
