// sequence.js is the sequence diagram. Ends are columns, and messages are arrows, from top to bottom in the order of
// the capture.

import { el } from "gamedissect/dom";
import { counted } from "gamedissect/format";
import { Lines } from "gamedissect/lines";
import { describe, drawLine, extent, layoutOf, lineHeight, timesWidth } from "gamedissect/arrows";
import { Participants } from "gamedissect/participants";
import { noMessages } from "gamedissect/messages";
import { Runs } from "gamedissect/runs";
import { save } from "gamedissect/sequencefile";

export const sequence = { name: "sequence", title: "Sequence", make: (app) => new Diagram(app).element, cannot: noMessages };

class Diagram {
	#app;
	#runs;
	#participants;
	#lines;
	#layout = layoutOf([], 800);
	#visible = [0, 0]; // visible range of the layout, in pixels
	#window;
	#chosen = -1; // index of the line from which the keys move
	#sought = -1; // row to select when its line exists
	#beside = false; // the selected line may be outside of the window horizontally
	#shown = false;
	#nothing = el("p", { class: "empty", hidden: true });
	#counts = el("span", { class: "counts dim" });

	constructor(app) {
		this.#app = app;
		this.#runs = new Runs(app);
		this.#participants = new Participants(app, this.#runs);
		this.#window = el("div", {
			class: "window", role: "listbox", tabindex: "0", "aria-label": "Messages between the participants",
			onkeydown: (event) => this.#key(event),
		});
		this.element = el("div", { class: "diagram" }, this.#bar(), this.#participants.element, this.#window, this.#nothing);
		this.#lines = new Lines(this.#window, {
			height: lineHeight, make: (i) => el("div", { class: "step", role: "option", id: "step-" + i }),
			draw: (element, n) => this.#draw(element, n), moved: () => this.#moved(),
		});
		this.#window.addEventListener("click", (event) => this.#clicked(event));
		this.#window.addEventListener("scroll", () => this.#shift(), { passive: true });
		new ResizeObserver(() => this.#resized()).observe(this.#window);
		this.#listen();
	}

	#bar() {
		const runs = this.#runs;
		const join = el("select", { "aria-label": "Ends", onchange: () => runs.join(join.value) },
			el("option", { value: "" }, "each participant"),
			el("option", { value: "clients" }, "clients as one"),
			el("option", { value: "hosts" }, "hosts, not ports"));
		const fold = el("input", { type: "checkbox", checked: true, onchange: () => runs.show({ apart: !fold.checked }) });
		const moves = el("input", { type: "checkbox", onchange: () => runs.show({ no_moves: !moves.checked }) });
		const file = el("button", {
			type: "button", class: "quiet", title: "The filtered messages as a picture: the first 2,000 arrows",
			onclick: () => save(this.#app, runs).catch((error) => this.#app.complain(error)),
		}, "Save as SVG");
		runs.addEventListener("asked", () => {
			join.value = runs.joined;
		});
		return el("div", { class: "bar" }, el("label", {}, "Columns ", join), el("label", {}, fold, " collapse repeated messages"),
			el("label", { title: "Positions of players, which clients send many times a second" }, moves, " position updates"),
			this.#participants.hidden, this.#counts, file);
	}

	#listen() {
		const app = this.#app;
		const runs = this.#runs;
		this.element.addEventListener("shown", () => {
			this.#shown = true;
			app.offer().catch((error) => app.complain(error));
			runs.show({ filter: app.during() });
			runs.go();
			this.#follow();
		});
		this.element.addEventListener("hidden", () => {
			this.#shown = false;
			runs.rest();
		});
		const asked = () => this.#shown && runs.show({ filter: app.during() });
		app.addEventListener("filter", asked);
		app.addEventListener("range", asked);
		app.addEventListener("once", asked);
		app.addEventListener("state", () => {
			if (this.#shown) {
				runs.go();
				app.offer().catch((error) => app.complain(error));
			}
		});
		app.addEventListener("row", () => this.#shown && this.#follow());
		runs.addEventListener("asked", () => {
			this.#chosen = -1;
			this.#follow();
		});
		runs.addEventListener("total", () => this.#count());
		runs.addEventListener("ends", () => this.#resized());
		runs.addEventListener("lines", () => this.#lines.redraw());
	}

	#count() {
		const { size, arrows, total, done, ends } = this.#runs;
		this.#lines.total = size;
		const folded = total < arrows ? " in " + counted(total, "line") : "";
		this.#counts.textContent = counted(arrows, "arrow") + folded + (done ? "" : " …");
		this.#nothing.hidden = !done || total > 0;
		this.#nothing.textContent = this.#runs.hidden > 0 ? "All matching participants are hidden: show one of them again."
			: this.#runs.what.no_moves && this.#app.state.moves > 0 ? "Only position updates match: tick “position updates” above to show them."
			: this.#app.during() === "" ? "There is no message of a known protocol."
				: "Nothing matches" + (this.#app.range ? " the filter in this time range." : " the filter.");
		this.#participants.element.hidden = ends.length === 0;
		this.#seek();
	}

	// #resized positions the columns.
	#resized() {
		const width = this.#window.clientWidth;
		if (width === 0) {
			return;
		}
		this.#layout = layoutOf(this.#runs.ends, width);
		this.#lines.spacer.style.width = this.#layout.width + "px";
		this.#lines.stage.style.width = width + "px";
		this.#participants.place(this.#layout, width);
		this.#shift();
		this.#lines.redraw();
	}

	// #shift moves participants and lines with the scroll bar.
	#shift() {
		const { scrollLeft: left, clientWidth: width } = this.#window;
		if (this.#visible[0] !== left + timesWidth || this.#visible[1] !== left + width) {
			this.#visible = [left + timesWidth, left + width];
			this.element.style.setProperty("--shift", -left + "px");
			this.#lines.redraw();
		}
	}

	#draw(element, n) {
		const { line, sub } = this.#runs.at(n);
		element.replaceChildren();
		element.className = "step";
		element.setAttribute("aria-selected", String(n === this.#chosen));
		if (!line) {
			element.title = "";
			element.append(el("span", { class: "unseen" }, "not read yet"));
		} else {
			element.classList.toggle("sub", sub >= 0);
			element.title = describe(line);
			element.append(el("span", { class: "unseen" }, describe(line)),
				...drawLine(line, this.#layout, this.#visible, { sub: sub >= 0, open: this.#runs.isOpen(line) }));
		}
	}

	#moved() {
		const { first, last } = this.#lines;
		this.#runs.want(first, last);
		this.#aside();
		const element = this.#lines.elementOf(this.#chosen);
		if (element) {
			this.#window.setAttribute("aria-activedescendant", element.id);
		} else {
			this.#window.removeAttribute("aria-activedescendant");
		}
	}

	// #follow selects the line of the selected message.
	#follow() {
		const { row } = this.#app;
		const now = this.#runs.at(this.#chosen).line;
		this.#sought = row < 0 || now?.row === row && now.count > 0 ? -1 : row;
		this.#seek();
	}

	async #seek() {
		const row = this.#sought;
		if (row < 0) {
			return;
		}
		const { done } = this.#runs;
		const place = await this.#runs.place(row).catch((error) => this.#app.complain(error));
		if (row === this.#sought && place >= 0 && place < this.#lines.total) {
			this.#sought = -1;
			this.#choose(place);
		} else if (done && row === this.#sought) {
			this.#sought = -1; // the row is hidden or does not match the filter
		}
	}

	#choose(n) {
		const old = this.#chosen;
		this.#chosen = n;
		for (const place of [old, n]) {
			this.#lines.elementOf(place)?.setAttribute("aria-selected", String(place === n));
		}
		if (!this.#lines.shows(n)) {
			this.#lines.reveal(n, Math.abs(n - old) > 1);
		}
		this.#beside = true;
		this.#moved();
	}

	// #aside scrolls horizontally to the selected line if necessary.
	#aside() {
		const { line } = this.#runs.at(this.#chosen);
		if (!this.#beside || !line) {
			return;
		}
		this.#beside = false;
		const reach = extent(line, this.#layout);
		const [left, right] = this.#visible;
		if (reach && (reach[0] < left || reach[1] > right)) {
			const room = (right - left - (reach[1] - reach[0])) / 2;
			this.#window.scrollLeft = reach[0] - timesWidth - Math.max(room, 20);
		}
	}

	#look() {
		const { line } = this.#runs.at(this.#chosen);
		if (line) {
			this.#app.look(line.row);
		}
	}

	#clicked(event) {
		const n = this.#placeOf(event.target.closest(".step"));
		if (n < 0) {
			return;
		}
		if (event.target.closest(".fold")) {
			this.#runs.toggle(this.#runs.at(n).line, n);
		}
		this.#choose(n);
		this.#look();
	}

	#placeOf(element) {
		for (let n = this.#lines.first; n <= this.#lines.last; n++) {
			if (element && this.#lines.elementOf(n) === element) {
				return n;
			}
		}
		return -1;
	}

	#key(event) {
		const at = this.#chosen < 0 ? this.#lines.first - 1 : this.#chosen;
		const end = this.#lines.total - 1;
		const page = this.#lines.page - 1;
		const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: end }[event.key];
		const { line, sub } = this.#runs.at(this.#chosen);
		if (event.ctrlKey || event.metaKey || event.altKey || end < 0) {
			return;
		} else if (to !== undefined) {
			this.#choose(Math.max(Math.min(to, end), 0));
		} else if (event.key === "Enter" || event.key === " ") {
			this.#look();
		} else if (event.key === "ArrowRight" && line?.count > 1 && !this.#runs.isOpen(line)) {
			this.#runs.toggle(line);
		} else if (event.key === "ArrowLeft" && line && sub >= 0) {
			this.#choose(this.#chosen - sub - 1);
		} else if (event.key === "ArrowLeft" && line && this.#runs.isOpen(line)) {
			this.#runs.toggle(line);
		} else {
			return;
		}
		event.preventDefault();
	}
}
