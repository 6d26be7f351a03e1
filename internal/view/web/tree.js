// tree.js shows the fields of a message, with the findings about each field.

import { badge, el } from "gamedissect/dom";
import { counted } from "gamedissect/format";

const atOnce = 300; // number of elements created before the page is drawn; the others follow in pieces
const piece = 8; // milliseconds

// Tree is the tree of one message. on has the functions chosen(node), over(node or null), menu(node, place) and all().
export class Tree {
	#items = []; // in the order of the message: {node, level, parent, last, element, open}
	#found;
	#on;
	#at = 0; // the item from which the keys move
	#made = 0; // number of items that have an element
	#work = 0;
	#chosen = null; // elements
	#hinted = null;

	constructor({ tree, findings }, on) {
		this.#found = findings ?? [];
		this.#on = on;
		this.element = el("div", {
			class: "tree", role: "tree", "aria-label": "Fields",
			onkeydown: (event) => this.#key(event),
			onclick: (event) => this.#clicked(event),
			oncontextmenu: (event) => this.#menuAt(event),
			onpointerover: (event) => on.over(this.#itemOf(event)?.node ?? null),
			onpointerleave: () => on.over(null),
		});
		this.#add(tree ?? [], 1, -1);
		this.#make(atOnce);
		this.#aim(0);
	}

	// stop cancels pending drawing.
	stop() {
		cancelAnimationFrame(this.#work);
	}

	// deepest returns the smallest node that contains a byte.
	deepest(offset) {
		let best = null;
		for (const { node } of this.#items) {
			if (node.size > 0 && !node.computed && offset >= node.offset && offset < node.offset + node.size && (!best || node.size <= best.size)) {
				best = node;
			}
		}
		return best;
	}

	// choose marks a node and scrolls to it.
	choose(node) {
		const at = this.#items.findIndex((item) => item.node === node);
		if (at < 0) {
			return;
		}
		this.#make(at + 1);
		for (let up = this.#items[at].parent; up >= 0; up = this.#items[up].parent) {
			this.#unfold(up, true);
		}
		this.#aim(at);
		this.#mark(at);
		this.#items[at].element.scrollIntoView({ block: "nearest" });
	}

	// hint marks a node temporarily. It marks none if the node is null.
	hint(node) {
		this.#hinted?.classList.remove("hint");
		this.#hinted = node && this.#items.find((item) => item.node === node)?.element;
		this.#hinted?.classList.add("hint");
	}

	// nth returns the node that findings refer to by the number n.
	nth(n) {
		return this.#items[n]?.node;
	}

	focus() {
		this.#items[this.#at]?.element.focus();
	}

	#add(nodes, level, parent) {
		for (const [i, node] of nodes.entries()) {
			const at = this.#items.push({ node, level, parent, position: i + 1, of: nodes.length, open: true }) - 1;
			this.#add(node.children ?? [], level + 1, at);
			this.#items[at].last = this.#items.length - 1;
		}
	}

	// #make creates the elements up to an item. It creates the others after the page is drawn.
	#make(to) {
		const begun = performance.now();
		while (this.#made < this.#items.length && (this.#made < to || performance.now() - begun < piece)) {
			const at = this.#made++;
			this.#items[at].element = this.#line(at);
			this.element.append(this.#items[at].element);
			this.#items[at].element.hidden = this.#hidden(at);
		}
		cancelAnimationFrame(this.#work);
		if (this.#made < this.#items.length) {
			this.#work = requestAnimationFrame(() => this.#make(0));
		}
	}

	#line(at) {
		const { node, level, position, of } = this.#items[at];
		const inner = node.children?.length > 0;
		const indent = 4 + level * 14;
		return el("div", {
			class: "item" + (node.computed ? " computed" : ""), role: "treeitem", tabindex: "-1", "data-at": at, "aria-level": level,
			"aria-setsize": of, "aria-posinset": position, "aria-expanded": inner ? "true" : null, "aria-selected": "false",
			title: node.computed ? "computed: the message has no bytes for this field" : null,
		},
		el("div", { class: "field", style: { paddingInlineStart: indent + "px" } },
			el("span", { class: "fold", "aria-hidden": "true" }, inner ? "▾" : ""),
			el("span", { class: "key" }, node.name, node.computed ? el("span", { class: "dim", "aria-label": "computed" }, " ƒ") : null),
			el("span", { class: "value" }, node.value ?? (node.kind === "list" ? sizeOf(node) : "")),
			node.meaning ? el("span", { class: "meaning" }, node.meaning) : null,
			(node.findings ?? []).map((n) => badge(this.#found[n].severity)),
			node.left_out ? el("button", { class: "quiet", type: "button", tabindex: "-1", onclick: (event) => {
				event.stopPropagation();
				this.#on.all();
			} }, "all, " + counted(node.left_out, "more", "more")) : null),
		(node.findings ?? []).map((n) => {
			const box = findingBox(this.#found[n]);
			box.style.marginInlineStart = 14 + indent + "px";
			return box;
		}));
	}

	#itemOf(event) {
		const element = event.target.closest(".item");
		return element ? this.#items[Number(element.dataset.at)] : null;
	}

	#clicked(event) {
		const item = this.#itemOf(event);
		if (item) {
			const at = Number(item.element.dataset.at);
			if (event.target.closest(".fold") && item.node.children?.length > 0) {
				this.#unfold(at, !item.open);
			}
			this.#pick(at);
		}
	}

	#menuAt(event) {
		const item = this.#itemOf(event);
		if (item) {
			event.preventDefault();
			this.#pick(Number(item.element.dataset.at));
			this.#on.menu(item.node, { x: event.clientX, y: event.clientY }, item.element);
		}
	}

	#pick(at) {
		this.#aim(at);
		this.#mark(at);
		this.#items[at].element.focus({ preventScroll: true });
		this.#items[at].element.scrollIntoView({ block: "nearest" });
		this.#on.chosen(this.#items[at].node);
	}

	// #aim makes an item the target of the Tab key.
	#aim(at) {
		if (this.#made > 0) {
			this.#items[this.#at].element.tabIndex = -1;
			this.#at = at;
			this.#items[at].element.tabIndex = 0;
		}
	}

	#mark(at) {
		this.#chosen?.setAttribute("aria-selected", "false");
		this.#chosen = this.#items[at].element;
		this.#chosen.setAttribute("aria-selected", "true");
	}

	#unfold(at, open) {
		const item = this.#items[at];
		if (item.open !== open && item.node.children?.length > 0) {
			item.open = open;
			item.element.setAttribute("aria-expanded", String(open));
			item.element.querySelector(".fold").textContent = open ? "▾" : "▸";
			for (let i = at + 1; i <= item.last && i < this.#made; i++) {
				this.#items[i].element.hidden = this.#hidden(i);
			}
		}
	}

	#hidden(at) {
		for (let up = this.#items[at].parent; up >= 0; up = this.#items[up].parent) {
			if (!this.#items[up].open) {
				return true;
			}
		}
		return false;
	}

	#step(from, by) {
		let at = from + by;
		while (at >= 0 && at < this.#made && this.#items[at].element.hidden) {
			at += by;
		}
		return at >= 0 && at < this.#made ? at : Math.min(from, this.#made - 1);
	}

	#key(event) {
		const at = this.#at;
		const item = this.#items[at];
		const inner = item?.node.children?.length > 0;
		if (!item || event.altKey || event.ctrlKey || event.metaKey) {
			return;
		}
		const to = {
			ArrowDown: () => this.#step(at, 1), ArrowUp: () => this.#step(at, -1),
			Home: () => 0, End: () => this.#step(this.#made, -1),
			ArrowRight: () => inner && item.open ? this.#step(at, 1) : at,
			ArrowLeft: () => inner && item.open || item.parent < 0 ? at : item.parent,
		}[event.key];
		if (to) {
			const next = to();
			if (next === at && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
				this.#unfold(at, event.key === "ArrowRight");
			}
			this.#pick(next);
		} else if (event.key === "Enter" || event.key === " ") {
			item.node.left_out ? this.#on.all() : this.#unfold(at, !item.open);
		} else if (event.key === "ContextMenu" || event.key === "F10" && event.shiftKey) {
			const { left, bottom } = item.element.getBoundingClientRect();
			this.#on.menu(item.node, { x: left + 40, y: bottom }, item.element);
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}
}

function sizeOf(node) {
	return counted((node.children?.length ?? 0) + (node.left_out ?? 0), "element");
}

// findingBox shows a finding and its rule.
export function findingBox({ severity, rule, title, why, source, text }) {
	return el("div", { class: "found " + severity },
		el("p", { class: "head" }, badge(severity), " ", el("strong", {}, title), " ", el("span", { class: "mono dim" }, rule)),
		text && text !== title ? el("p", {}, text) : null,
		why ? el("p", {}, why) : null,
		source ? el("p", { class: "dim" }, source) : null);
}
