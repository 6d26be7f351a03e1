// lanes.js puts the answer of the operation timeline in rows: servers, and below each those who were there.

import { bisect } from "gamedissect/column";

// Lanes has rows {name, server, who, head, lives, marks}, in the order in which they are shown. A mark is an event at its
// place in one of the rows: {event, time, kind, other}. other is set for whom it was done to.
export class Lanes {
	rows = [];
	events = []; // all that are shown, in order of time
	kinds = new Map(); // kind -> how many
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

	// Events that name no server stand in a row of their own.
	#unknown() {
		this.#add("", { own: [], others: new Map() });
		return this.#byName.get("");
	}

	#place(event, off) {
		const server = event.server ?? "";
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
			this.kinds.set("death", (this.kinds.get("death") ?? 0) + 1);
		}
		if (death ? !off.has("death") : shown) {
			victim.marks.push({ event, time: event.time, kind: death ? "death" : event.event, other: true });
		}
	}
}

// groupsOf sorts lives by servers: those of the server itself, and by name those of others.
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

// firstFrom gives the index of the first of a list, ordered by time, that is not before a time.
export function firstFrom(list, time) {
	return bisect(list.length, (i) => list[i].time < time);
}
