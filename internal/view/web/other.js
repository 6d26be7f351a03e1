// other.js lists packets that belong to no game: the kinds counted by -z other, and the packets of one kind with their
// first bytes.

import { fromBase64 } from "gamedissect/base64";
import { el } from "gamedissect/dom";
import { count, counted } from "gamedissect/format";
import { Grid } from "gamedissect/tables";

export const other = { name: "other", title: "Other", make: (app) => new Others(app).element, cannot };

function cannot({ state }) {
	return state.done && state.others === 0 ? "Every packet of this capture belongs to a game." : "";
}

const kindColumns = [
	{ name: "what" }, { name: "in" }, { name: "port", number: true }, { name: "service" }, { name: "packets", number: true },
	{ name: "bytes", number: true, unit: "B" }, { name: "first frame", number: true }, { name: "first bytes" },
];
const packetColumns = [
	{ name: "frame", number: true }, { name: "time", number: true, unit: "s" }, { name: "source" }, { name: "destination" },
	{ name: "transport" }, { name: "service" }, { name: "bytes", number: true, unit: "B" }, { name: "first bytes" }, { name: "text" },
];

class Others {
	#app;
	#shown = false;
	#work = null;
	#kinds = []; // kinds in the whole capture
	#kind = -1; // the chosen kind; -1: all kinds
	#told = el("p", { class: "dim", role: "status" });
	#above = el("div", { class: "kinds" });
	#which = el("h2", {});
	#all = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.#choose(-1) }, "All packets");
	#below = el("div", { class: "packets" });

	constructor(app) {
		this.#app = app;
		this.element = el("div", { class: "others" }, this.#told, this.#above, el("div", { class: "which" }, this.#which, this.#all), this.#below);
		this.element.addEventListener("shown", () => {
			this.#shown = true;
			this.#ask();
		});
		this.element.addEventListener("hidden", () => {
			this.#shown = false;
			this.#work?.abort();
			this.#work = null;
		});
		app.on("state", () => this.#ask());
	}

	// #ask sends the request after the capture has been read. Before that, it is not known which packets belong to no
	// game.
	#ask() {
		if (!this.#shown || this.#kinds.length > 0 || this.#work) {
			return;
		}
		this.#told.textContent = this.#app.state.done ? "" : "Packets that belong to no game are listed once the whole capture is read.";
		if (this.#app.state.done) {
			this.#choose(-1);
		}
	}

	async #choose(kind) {
		this.#work?.abort();
		const { signal } = this.#work = new AbortController();
		const filter = this.#kinds[kind]?.filter ?? "";
		try {
			const answer = await this.#app.whole("others", { filter }, {
				signal, later: false, onPart: ({ done, matches }) => {
					this.#told.textContent = done ? "" : "Reading the packets again: " + counted(matches, "packet") + " …";
				},
			});
			if (!signal.aborted) {
				this.#show(kind, answer);
			}
		} catch (error) {
			this.#app.complain(error);
		}
		if (this.#work?.signal === signal) {
			this.#work = null;
		}
	}

	#show(kind, { kinds, packets, matches }) {
		this.#kind = kind;
		if (this.#kinds.length === 0) {
			this.#kinds = kinds;
			this.#showKinds(packets.filter(({ data }) => data));
		}
		const of = this.#kinds[kind];
		this.#which.textContent = counted(matches, "packet") + (of ? ": " + [of.what, of.port, of.service].filter(Boolean).join(" ")
				: " that belong to no game")
			+ (packets.length < matches ? ", the first " + count(packets.length) : "");
		this.#all.hidden = kind < 0;
		const rows = packets.map(({ frame, time, src = "", dst = "", transport, service = "", length, data }) =>
			[frame, time, src, dst, transport, service, length, hex(data, 16), letters(data)]);
		this.#below.replaceChildren(new Grid({ title: "Packets that belong to no game", columns: packetColumns, rows }, null).element);
	}

	// #showKinds shows the kinds. If a packet of a kind has content, the kind is shown with the first bytes of that
	// packet.
	#showKinds(packets) {
		const kinds = this.#kinds;
		this.#told.textContent = kinds.length > 0 ? "" : "Every packet of this capture belongs to a game.";
		this.#which.hidden = this.#below.hidden = this.#above.hidden = kinds.length === 0;
		const content = ({ what, port }) => packets.find(({ transport, src, dst }) => transport === what.toLowerCase() &&
			(!port || src.endsWith(":" + port) || dst.endsWith(":" + port)))?.data;
		const rows = kinds.map((kind) => [kind.what, kind.in ?? "", kind.port ?? null, kind.service ?? "", kind.packets, kind.bytes, kind.first,
			hex(content(kind), 12)]);
		const chosen = (row) => this.#choose(kinds[rows.indexOf(row)].filter ? rows.indexOf(row) : -1);
		this.#above.replaceChildren(new Grid({ title: "Kinds of packets that belong to no game", columns: kindColumns, rows }, null, chosen).element);
	}
}

function hex(data, most) {
	const bytes = fromBase64(data ?? "");
	return [...bytes.slice(0, most)].map((b) => b.toString(16).padStart(2, "0")).join(" ") + (bytes.length > most ? " …" : "");
}

function letters(data) {
	return [...fromBase64(data ?? "")].map((b) => b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : "·").join("");
}
