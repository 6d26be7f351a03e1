// bytes.js shows the bytes of a message: offset, hexadecimal, ASCII.

import { el } from "gamedissect/dom";
import { Lines } from "gamedissect/lines";

const height = 20;
const narrow = 480; // in pixels; if there is less room, a line has 8 bytes

// Bytes shows the bytes of one message at a time. on has the functions chosen(offset) and over(offset or -1).
export class Bytes {
	#data = new Uint8Array(0);
	#wide = 16;
	#lines;
	#marked = [0, 0]; // from, to
	#hinted = [0, 0];
	#at = 0;
	#on;

	constructor(on) {
		this.#on = on;
		this.element = el("div", {
			class: "bytes", role: "group", tabindex: "0", "aria-label": "Bytes", "aria-roledescription": "hex dump",
			onkeydown: (event) => this.#key(event),
			onclick: (event) => this.#pick(this.#offsetOf(event)),
			onpointerover: (event) => on.over(this.#offsetOf(event)),
			onpointerleave: () => on.over(-1),
		});
		this.#lines = new Lines(this.element, { height, make: () => el("div", { class: "line" }), draw: (element, n) => this.#draw(element, n) });
		new ResizeObserver(([{ contentRect }]) => {
			const wide = contentRect.width < narrow ? 8 : 16;
			if (wide !== this.#wide && contentRect.width > 0) {
				this.#wide = wide;
				this.#show();
			}
		}).observe(this.element);
	}

	// show shows the bytes of another message, given as hexadecimal text.
	show(hex) {
		const data = new Uint8Array(hex.length / 2);
		for (let i = 0; i < data.length; i++) {
			data[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
		}
		this.#data = data;
		this.#marked = this.#hinted = [0, 0];
		this.#at = 0;
		this.#show();
		this.#lines.reveal(0);
	}

	// mark marks bytes and scrolls to them.
	mark(offset, size) {
		this.#marked = [offset, offset + size];
		if (size > 0) {
			this.#at = offset;
			this.#lines.reveal(Math.floor((offset + size - 1) / this.#wide));
			this.#lines.reveal(Math.floor(offset / this.#wide));
		}
		this.#lines.redraw();
	}

	// hint marks bytes temporarily.
	hint(offset, size) {
		this.#hinted = [offset, offset + size];
		this.#lines.redraw();
	}

	#show() {
		this.#lines.total = Math.ceil(this.#data.length / this.#wide);
		this.element.style.maxHeight = Math.max(this.#lines.total * height + 8, 64) + "px";
		this.#lines.redraw();
	}

	// #draw creates the elements of a line only once, so that the element under the pointer stays and can be clicked
	// when a mark moves.
	#draw(element, n) {
		if (element.drawn?.data !== this.#data || element.drawn.line !== n || element.drawn.wide !== this.#wide) {
			this.#make(element, n);
			element.drawn = { data: this.#data, line: n, wide: this.#wide };
		}
		for (const byte of element.querySelectorAll("[data-offset]")) {
			const offset = Number(byte.dataset.offset);
			byte.classList.toggle("marked", within(offset, this.#marked));
			byte.classList.toggle("hinted", within(offset, this.#hinted));
		}
	}

	#make(element, n) {
		const from = n * this.#wide;
		const to = Math.min(from + this.#wide, this.#data.length);
		const hex = el("span", { class: "hex" });
		const ascii = el("span", { class: "ascii" });
		for (let i = from; i < to; i++) {
			const byte = this.#data[i];
			const gap = (i - from) % 8 === 0 && i > from ? " gap" : "";
			hex.append(el("span", { "data-offset": i, class: "byte" + gap }, byte.toString(16).padStart(2, "0")));
			ascii.append(el("span", { "data-offset": i }, signOf(byte)));
		}
		element.replaceChildren(el("span", { class: "offset" }, from.toString(16).padStart(4, "0")), hex, ascii);
	}

	#offsetOf(event) {
		const element = event.target.closest("[data-offset]");
		return element ? Number(element.dataset.offset) : -1;
	}

	#pick(offset) {
		if (offset >= 0 && offset < this.#data.length) {
			this.#at = offset;
			this.#lines.reveal(Math.floor(offset / this.#wide));
			this.#on.chosen(offset);
		}
	}

	#key(event) {
		const wide = this.#wide;
		const step = {
			ArrowRight: 1, ArrowLeft: -1, ArrowDown: wide, ArrowUp: -wide, PageDown: wide * this.#lines.page, PageUp: -wide * this.#lines.page,
			Home: -this.#at, End: this.#data.length - 1 - this.#at,
		}[event.key];
		if (step !== undefined && !event.ctrlKey && !event.altKey && !event.metaKey) {
			this.#pick(Math.max(Math.min(this.#at + step, this.#data.length - 1), 0));
			event.preventDefault();
			event.stopPropagation();
		}
	}
}

function within(offset, [from, to]) {
	return offset >= from && offset < to;
}

function signOf(byte) {
	return byte === 32 ? "\u00a0" : byte > 32 && byte < 127 ? String.fromCharCode(byte) : "·";
}
