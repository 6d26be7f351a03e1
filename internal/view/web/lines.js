// lines.js shows a part of a list that may have millions of lines. Only visible lines are in the document.

import { el } from "gamedissect/dom";

// Browsers limit the height of a document to between 17 and 33 million pixels, which is less than the height of 2
// million lines. So a pixel of the scroll bar may be many pixels of lines, except near both ends. Scrolling by less
// than a few windows is always exact. After such scrolling, the bar is moved to the right place.
const longest = 8_000_000;
const exactEnd = 1_000_000;
const jump = 3; // in windows; a greater movement means that the user drags the bar
const rest = 150; // milliseconds without scrolling before the bar is corrected
const farFromBase = 20_000; // in lines

// Lines puts lines of equal height into a scrolling element. make returns an element for a line. draw(element, n) fills
// the element with line n. moved is called when other lines become visible.
export class Lines {
	#viewport;
	#how;
	#total = 0;
	#top = 0; // pixels of lines above the window
	#window = 0;
	#bar = 0; // latest position of the scroll bar
	#base = 0; // the line at the upper edge of the moving part
	#slots = []; // for each element: the line that it shows; -1: none
	#asked = 0;
	#resting = 0;
	#held = false; // the user holds a pointer down
	#awaited = -1; // the line to show when the element becomes visible; -1: none

	constructor(viewport, how) {
		this.#viewport = viewport;
		this.#how = how;
		this.moving = el("div", { class: "lines-moving" });
		this.stage = el("div", { class: "lines-stage" }, this.moving);
		this.spacer = el("div", { class: "lines-spacer" }, this.stage);
		viewport.classList.add("lines");
		viewport.append(this.spacer);
		viewport.addEventListener("scroll", () => this.#scrolled(), { passive: true });
		viewport.addEventListener("pointerdown", () => {
			this.#held = true;
		});
		addEventListener("pointerup", () => {
			this.#held = false;
		});
		new ResizeObserver(() => this.#measure()).observe(viewport);
	}

	// first is the first line that is at least partly in the window. last is the last such line.
	get first() {
		return Math.floor(this.#top / this.#how.height);
	}

	get last() {
		return Math.min(Math.ceil((this.#top + this.#window) / this.#how.height), this.#total) - 1;
	}

	// page is the number of lines that fit in the window.
	get page() {
		return Math.max(Math.floor(this.#window / this.#how.height), 1);
	}

	get total() {
		return this.#total;
	}

	set total(n) {
		if (n !== this.#total) {
			this.#total = n;
			this.#stretch();
		}
	}

	// height changes the height of the lines. The first line in the window stays in place.
	set height(height) {
		if (height !== this.#how.height) {
			this.#top = this.#top / this.#how.height * height;
			this.#how.height = height;
			this.#measure();
			this.#settle();
		}
	}

	// elementOf returns the element of a visible line.
	elementOf(n) {
		const at = n < 0 ? -1 : n % Math.max(this.#slots.length, 1);
		return this.#slots[at] === n && n <= this.last ? this.moving.children[at] : null;
	}

	// reveal scrolls as little as needed to show a line. If middle is true, it puts the line in the middle.
	reveal(n, middle = false) {
		const { height } = this.#how;
		const upper = n * height;
		this.#awaited = this.#window === 0 ? n : -1;
		if (middle) {
			this.#go(upper - (this.#window - height) / 2);
		} else if (upper < this.#top) {
			this.#go(upper);
		} else if (upper + height > this.#top + this.#window) {
			this.#go(upper + height - this.#window);
		}
	}

	// shows reports whether a line is fully visible.
	shows(n) {
		const { height } = this.#how;
		return n * height >= this.#top && (n + 1) * height <= this.#top + this.#window;
	}

	// redraw fills the elements of all visible lines again.
	redraw() {
		this.#slots.fill(-1);
		this.#later();
	}

	#measure() {
		const { height } = this.#how;
		this.#window = this.#viewport.clientHeight;
		if (this.#window === 0) {
			return; // the element is hidden
		}
		this.stage.style.height = this.#window + "px";
		const count = Math.ceil(this.#window / height) + 1;
		while (this.moving.childElementCount < count) {
			this.moving.append(this.#how.make(this.moving.childElementCount));
		}
		while (this.moving.childElementCount > count) {
			this.moving.lastElementChild.remove();
		}
		this.#slots = new Array(count).fill(-1);
		this.#stretch();
		if (this.#awaited >= 0) {
			this.reveal(this.#awaited, true);
		}
	}

	// #stretch sets the length of the scroll bar.
	#stretch() {
		const all = this.#total * this.#how.height;
		this.spacer.style.height = Math.max(Math.min(all, longest), this.#window) + "px";
		this.#top = Math.max(Math.min(this.#top, all - this.#window), 0);
		this.#later();
		this.#settleSoon();
	}

	// #ends returns the limits of the lines' position and of the bar's position.
	#ends() {
		const lines = Math.max(this.#total * this.#how.height - this.#window, 0);
		return { lines, bar: Math.max(Math.min(lines, longest - this.#window), 0) };
	}

	#linesOf(bar) {
		const ends = this.#ends();
		if (ends.lines === ends.bar || bar < exactEnd) {
			return bar;
		}
		if (bar > ends.bar - exactEnd) {
			return ends.lines - (ends.bar - bar);
		}
		return exactEnd + (bar - exactEnd) * (ends.lines - 2 * exactEnd) / (ends.bar - 2 * exactEnd);
	}

	#barOf(lines) {
		const ends = this.#ends();
		if (ends.lines === ends.bar || lines < exactEnd) {
			return lines;
		}
		if (lines > ends.lines - exactEnd) {
			return ends.bar - (ends.lines - lines);
		}
		return exactEnd + (lines - exactEnd) * (ends.bar - 2 * exactEnd) / (ends.lines - 2 * exactEnd);
	}

	#scrolled() {
		const bar = this.#viewport.scrollTop;
		const by = bar - this.#bar;
		this.#bar = bar;
		if (by === 0) {
			return; // this module moved the bar
		}
		const ends = this.#ends();
		const far = Math.abs(by) > jump * this.#window || bar <= 0 || bar >= ends.bar;
		this.#top = Math.max(Math.min(far ? this.#linesOf(bar) : this.#top + by, ends.lines), 0);
		this.#later();
		this.#settleSoon();
	}

	#go(top) {
		this.#top = Math.max(Math.min(top, this.#ends().lines), 0);
		this.#settle();
		this.#later();
	}

	#settleSoon() {
		clearTimeout(this.#resting);
		this.#resting = setTimeout(() => this.#held ? this.#settleSoon() : this.#settle(), rest);
	}

	#settle() {
		const bar = this.#barOf(this.#top);
		if (this.#window > 0 && Math.abs(bar - this.#viewport.scrollTop) >= 1) {
			this.#viewport.scrollTop = bar;
		}
		this.#bar = this.#viewport.scrollTop;
	}

	#later() {
		this.#asked ||= requestAnimationFrame(() => {
			this.#asked = 0;
			this.#draw();
		});
	}

	#draw() {
		const { height, draw, moved } = this.#how;
		const { first, last } = this;
		if (Math.abs(first - this.#base) > farFromBase) {
			this.#base = first;
			this.#slots.fill(-1);
		}
		this.moving.style.transform = "translateY(" + (this.#base * height - this.#top) + "px)";
		for (let n = first; n < first + this.#slots.length; n++) {
			const at = n % this.#slots.length;
			const element = this.moving.children[at];
			if (n > last) {
				element.hidden = true;
				this.#slots[at] = -1;
			} else if (this.#slots[at] !== n) {
				this.#slots[at] = n;
				element.hidden = false;
				element.style.top = (n - this.#base) * height + "px";
				draw(element, n);
			}
		}
		moved?.();
	}
}
