// sequence.js is the diagram of who said what to whom: ends as columns, messages as arrows, from the top in the order of
// the capture.

import { el } from "gamedissect/dom";
import { counted } from "gamedissect/format";
import { Lines } from "gamedissect/lines";
import { describe, drawLine, layoutOf, lineHeight } from "gamedissect/arrows";
import { Heads } from "gamedissect/heads";
import { Runs } from "gamedissect/runs";
import { save } from "gamedissect/sequencefile";

export const sequence = { name: "sequence", title: "Sequence", make: (app) => new Diagram(app).element };

class Diagram {
	#app;
	#runs;
	#heads;
	#lines;
	#layout = layoutOf([], 800);
	#window;
	#stepping; // what takes the keys
	#chosen = -1; // place of the line that the keys go from
	#shown = false;
	#nothing = el("p", { class: "empty", hidden: true });
	#counts = el("span", { class: "counts dim" });

	constructor(app) {
		this.#app = app;
		this.#runs = new Runs(app);
		this.#heads = new Heads(app, this.#runs);
		this.#window = el("div", { class: "window" });
		this.#stepping = el("div", {
			class: "chart", role: "listbox", tabindex: "0", "aria-label": "Messages between the ends",
			onkeydown: (event) => this.#key(event),
		}, this.#window);
		this.element = el("div", { class: "diagram" }, this.#bar(), this.#heads.element, this.#stepping, this.#nothing);
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
			el("option", { value: "" }, "each end"),
			el("option", { value: "clients" }, "clients as one"),
			el("option", { value: "hosts" }, "hosts, not ports"));
		const fold = el("input", { type: "checkbox", checked: true, onchange: () => runs.show({ apart: !fold.checked }) });
		const file = el("button", {
			type: "button", class: "quiet", title: "What is filtered, as a picture: the first 2,000 arrows",
			onclick: () => save(this.#app, runs).catch((error) => this.#app.complain(error)),
		}, "Save as SVG");
		runs.addEventListener("asked", () => {
			join.value = runs.joined;
		});
		return el("div", { class: "bar" }, el("label", {}, "Columns ", join), el("label", {}, fold, " fold repeats"),
			this.#heads.hidden, this.#counts, file);
	}

	#listen() {
		const app = this.#app;
		const runs = this.#runs;
		this.element.addEventListener("shown", () => {
			this.#shown = true;
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
		app.addEventListener("state", () => this.#shown && runs.go());
		app.addEventListener("row", () => this.#shown && this.#follow());
		runs.addEventListener("asked", () => {
			this.#chosen = -1;
			this.#follow();
		});
		runs.addEventListener("ends", () => this.#resized());
		runs.addEventListener("total", () => this.#count());
		runs.addEventListener("lines", () => this.#lines.redraw());
	}

	#count() {
		const { size, arrows, total, done, ends } = this.#runs;
		this.#lines.total = size;
		const folded = total < arrows ? " in " + counted(total, "line") : "";
		this.#counts.textContent = counted(arrows, "arrow") + folded + (done ? "" : " …");
		this.#nothing.hidden = !done || total > 0;
		this.#nothing.textContent = this.#runs.hidden > 0 ? "All ends that match are hidden: show one of them again."
			: this.#app.during() === "" ? "There is no message of a protocol that is known here."
				: "Nothing matches" + (this.#app.range ? " the filter in this range of time." : " the filter.");
		this.#heads.element.hidden = ends.length === 0;
	}

	// #resized places the columns.
	#resized() {
		const width = this.#window.clientWidth;
		if (width === 0) {
			return;
		}
		this.#layout = layoutOf(this.#runs.ends, width);
		this.#lines.spacer.style.width = this.#layout.width + "px";
		this.#lines.stage.style.width = width + "px";
		this.#heads.place(this.#layout, width);
		this.#shift();
		this.#lines.redraw();
	}

	#shift() {
		this.element.style.setProperty("--shift", -this.#window.scrollLeft + "px");
	}

	#draw(element, n) {
		const { line, sub } = this.#runs.at(n);
		element.replaceChildren();
		element.className = "step";
		element.setAttribute("aria-selected", String(n === this.#chosen));
		if (line) {
			element.classList.toggle("sub", sub >= 0);
			element.setAttribute("aria-label", describe(line));
			element.title = describe(line);
			element.append(...drawLine(line, this.#layout, sub >= 0, this.#runs.isOpen(line)));
		}
	}

	#moved() {
		const { first, last } = this.#lines;
		this.#runs.want(first, last);
		const element = this.#lines.elementOf(this.#chosen);
		if (element) {
			this.#stepping.setAttribute("aria-activedescendant", element.id);
		} else {
			this.#stepping.removeAttribute("aria-activedescendant");
		}
	}

	// #follow brings the message that is looked at into the window.
	async #follow() {
		const { row } = this.#app;
		const now = this.#runs.at(this.#chosen).line;
		if (row < 0 || now?.row === row && now.count > 0) {
			return;
		}
		const place = await this.#runs.place(row).catch((error) => this.#app.complain(error));
		if (row === this.#app.row && place >= 0) {
			this.#choose(place);
		}
	}

	#choose(n) {
		const [old, now] = [this.#chosen, n];
		this.#chosen = n;
		for (const place of [old, now]) {
			this.#lines.elementOf(place)?.setAttribute("aria-selected", String(place === n));
		}
		if (!this.#lines.shows(n)) {
			this.#lines.reveal(n, Math.abs(n - old) > 1);
		}
		this.#moved();
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
