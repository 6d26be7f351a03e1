// participants.js is the top of the sequence diagram. It shows the ends (addresses with ports), each with a menu to
// join or hide the end, and the list of hidden ends.

import { el } from "gamedissect/dom";
import { counted, middleCut } from "gamedissect/format";
import { letter, timesWidth } from "gamedissect/arrows";

export class Participants {
	#app;
	#runs;
	#row = el("div", { class: "participants-row" });
	#menu = el("div", { class: "ends-menu", popover: "auto", role: "menu", onkeydown: (event) => this.#key(event) });
	#of = null; // the button whose menu is open

	constructor(app, runs) {
		this.#app = app;
		this.#runs = runs;
		const corner = el("span", { class: "corner", style: { width: timesWidth + "px" } }, "time / s");
		this.element = el("div", { class: "participants" }, this.#row, corner, this.#menu);
		this.hidden = el("span", { class: "hidden-ends" });
		this.#menu.addEventListener("toggle", (event) => {
			this.#of?.setAttribute("aria-expanded", String(event.newState === "open"));
		});
		runs.addEventListener("asked", () => this.#showHidden());
	}

	// place positions the buttons over their columns.
	place({ ends, x, column, width }, visible) {
		this.#row.style.width = width + "px";
		this.element.style.width = visible + "px";
		this.#row.replaceChildren(...ends.map((end) => this.#head(end, x.get(end.end), column)));
	}

	#head(end, x, column) {
		const joined = end.joined ? counted(end.joined, end.clients ? "client" : "port") : "";
		const kind = end.server ? "server" : joined;
		return el("button", {
			type: "button", class: "head" + (end.server ? " server" : ""), "aria-haspopup": "menu", "aria-expanded": "false",
			title: end.id + "\n" + counted(end.messages, "message"), style: { left: x - column / 2 + 4 + "px", width: column - 8 + "px" },
			onclick: (event) => this.#open(event.currentTarget, end),
		}, el("span", { class: "end" }, end.name ?? middleCut(end.id, Math.floor((column - 20) / letter()))),
		el("span", { class: "dim" }, end.name ? end.id : [kind, counted(end.messages, "message")].filter(Boolean).join(" · ")));
	}

	#open(button, end) {
		this.#of = button;
		this.#menu.setAttribute("aria-label", end.id);
		this.#menu.replaceChildren(...this.#choices(end).map(([text, f]) => el("button", {
			type: "button", role: "menuitem", tabindex: "-1", onclick: () => {
				this.#menu.hidePopover();
				f();
			},
		}, text)));
		this.#menu.showPopover();
		const at = button.getBoundingClientRect();
		this.#menu.style.top = at.bottom + 2 + "px";
		this.#menu.style.left = Math.max(Math.min(at.left, innerWidth - this.#menu.offsetWidth - 8), 4) + "px";
		this.#menu.firstElementChild.focus();
	}

	// #choices returns the actions in an end's menu.
	#choices(end) {
		const runs = this.#runs;
		const { clients, hosts, hide } = runs.what;
		const list = [];
		if (end.server && !clients.includes("all") && !clients.includes(end.id)) {
			list.push(["Show its clients as one", () => runs.show({ clients: [...clients, end.id] })]);
		}
		if (end.clients) {
			list.push(["Show each of these clients", () => runs.show({ clients: this.#without(clients, end.clients, clientsOf) })]);
		} else if (end.host && end.id === end.host) {
			list.push(["Show each port of " + end.host, () => runs.show({ hosts: this.#without(hosts, end.host, hostOf) })]);
		} else if (end.host) {
			list.push(["Join all ports of " + end.host, () => runs.show({ hosts: [...hosts, end.host] })]);
		}
		list.push(["Hide", () => runs.show({ hide: [...hide, end.id] })]);
		if (end.host) {
			list.push(["Filter: only this participant", () => this.#app.narrow(condition(end)).catch((error) => this.#app.complain(error))]);
		}
		return list;
	}

	// #without removes an end from a list of joined ends. "all" in such a list means every end.
	#without(list, one, name) {
		const all = list.includes("all") ? this.#runs.ends.map(name).filter(Boolean) : list;
		return [...new Set(all)].filter((each) => each !== one);
	}

	#key(event) {
		const items = [...this.#menu.children];
		const at = items.indexOf(document.activeElement);
		const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
		if (to !== undefined) {
			items[to % items.length].focus();
			event.preventDefault();
		} else if (event.key === "Tab") {
			this.#menu.hidePopover();
		}
		event.stopPropagation();
	}

	// #showHidden lists the hidden ends. A click on an end shows it again.
	#showHidden() {
		const { hide } = this.#runs.what;
		const show = (rest) => this.#runs.show({ hide: rest });
		const each = hide.slice(0, 3).map((id) => el("button", {
			type: "button", class: "quiet", title: "Show " + id + " again", onclick: () => show(hide.filter((other) => other !== id)),
		}, el("s", {}, id), " ", el("span", { "aria-hidden": "true" }, "✕")));
		const all = el("button", { type: "button", class: "quiet", onclick: () => show([]) }, "Show all " + hide.length);
		this.hidden.replaceChildren(...each, ...hide.length > 1 ? [all] : []);
	}
}

const clientsOf = ({ clients }) => clients;
const hostOf = ({ id, host }) => id === host ? host : "";

// condition returns the filter for an end's messages.
export function condition({ id, host }) {
	const ip = host.includes(":") ? "ipv6" : "ip";
	const way = (side) => {
		const port = id === host ? "" : id.slice(id.lastIndexOf(":") + 1);
		const ports = port === "" ? "" : " && (udp." + side + "port == " + port + " || tcp." + side + "port == " + port + ")";
		return "(" + ip + "." + side + " == " + host + ports + ")";
	};
	return way("src") + " || " + way("dst");
}
