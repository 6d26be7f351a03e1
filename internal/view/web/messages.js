// messages.js is the list of messages.

import { el } from "gamedissect/dom";
import { columns, emptyRow, fillRow, header, Widths } from "gamedissect/columns";
import { Lines } from "gamedissect/lines";
import { messageMenu } from "gamedissect/menu";
import { Rows } from "gamedissect/rows";

export const messages = { name: "messages", title: "Messages", make: (app) => new List(app).element, cannot: noMessages };

// noMessages says that the capture has no messages, once that is certain.
export function noMessages({ state }) {
	return state.done && state.rows === 0 ? "This capture has no game messages." : "";
}

const rowHeight = 24;
const narrow = 660; // in pixels; up to this width, a row has two lines, see messages.css
const twoLines = 44;

class List {
	#app;
	#rows;
	#lines;
	#grid;
	#nothing;
	#widths = new Widths();
	#at = -1; // the index from which the arrow keys move
	#chosen = -1; // index of the selected row; -1: the row is not in the list
	#finding = null; // the finding of the selected row
	#filter = "";
	#shown = false;
	#wantsRow = false; // scroll to the selected row when it is known

	constructor(app) {
		this.#app = app;
		this.#rows = new Rows(app);
		const window = el("div", { class: "window", role: "rowgroup", tabindex: "-1" });
		this.#nothing = el("p", { class: "empty", hidden: true });
		this.#grid = el("div", {
			class: "grid", role: "grid", tabindex: "0", "aria-label": "Messages", "aria-colcount": columns.length,
			onkeydown: (event) => this.#key(event),
		}, el("div", { role: "rowgroup" }, header()), window);
		this.element = el("div", { class: "list" }, this.#grid, this.#nothing);
		this.#widths.put(this.#grid);
		this.#lines = new Lines(window, {
			height: rowHeight, make: emptyRow, draw: (element, n) => this.#draw(element, n), moved: () => this.#moved(),
		});
		new ResizeObserver(() => {
			this.#lines.height = this.element.clientWidth <= narrow ? twoLines : rowHeight;
		}).observe(this.element);
		window.addEventListener("click", (event) => this.#clicked(event));
		window.addEventListener("contextmenu", (event) => this.#menuAt(event));
		window.addEventListener("pointerover", ({ target }) => {
			target.title = target.matches(".cell") && target.scrollWidth > target.clientWidth ? target.textContent : "";
		});
		this.#listen();
	}

	#listen() {
		const app = this.#app;
		this.element.addEventListener("shown", () => {
			this.#shown = true;
			this.#count();
			this.#follow();
			this.#offer();
		});
		this.element.addEventListener("hidden", () => {
			this.#shown = false;
		});
		this.#rows.addEventListener("rows", () => this.#came());
		app.on("matches", () => this.#count());
		app.on("state", () => {
			this.#grid.classList.toggle("one-protocol", Object.keys(app.state.protocols).length < 2);
			this.#offer();
		});
		app.addEventListener("row", () => this.#follow());
		app.addEventListener("notes", () => this.#lines.redraw());
		app.addEventListener("next-finding", () => this.#nextFinding(false));
		app.addEventListener("previous-finding", () => this.#nextFinding(true));
	}

	#offer() {
		if (this.#shown) {
			this.#app.offer().catch((error) => this.#app.complain(error));
		}
	}

	// #count is called after the number of rows in the list has changed.
	#count() {
		const app = this.#app;
		if (app.during() !== this.#filter) {
			this.#filter = app.during();
			this.#rows.sift(this.#filter);
			this.#chosen = -1;
			this.#lines.redraw();
			this.#wantsRow = app.row >= 0;
			this.#at = -1;
		}
		const { total, done } = app.matches;
		this.#lines.total = total;
		this.#grid.setAttribute("aria-rowcount", done ? total + 1 : -1);
		this.#nothing.hidden = total > 0 || !done;
		this.#nothing.textContent = this.#filter === "" ? "This capture has no message of a known protocol."
			: "Nothing matches the filter" + (app.range ? " in this time range." : ".");
		if (this.#wantsRow) {
			this.#follow();
		}
	}

	#came() {
		for (let n = this.#lines.first; n <= this.#lines.last; n++) {
			const element = this.#lines.elementOf(n);
			if (element?.classList.contains("waiting")) {
				this.#draw(element, n);
			}
		}
		this.#fit();
	}

	#draw(element, n) {
		const row = this.#rows.row(n);
		fillRow(element, row, row && this.#app.notes.get(row.row));
		element.setAttribute("aria-rowindex", n + 2);
		element.setAttribute("aria-selected", String(n === this.#chosen));
	}

	#moved() {
		if (this.#shown) {
			this.#rows.want(this.#lines.first, this.#lines.last);
		}
		const chosen = this.#lines.elementOf(this.#chosen);
		chosen ? this.#grid.setAttribute("aria-activedescendant", chosen.id) : this.#grid.removeAttribute("aria-activedescendant");
		this.#fit();
	}

	#fit() {
		const rows = [];
		for (let n = this.#lines.first; n <= this.#lines.last; n++) {
			const row = this.#rows.row(n);
			if (row) {
				rows.push(row);
			}
		}
		if (this.#widths.take(rows)) {
			this.#widths.put(this.#grid);
		}
	}

	// #follow marks the selected row and scrolls to it.
	async #follow() {
		const app = this.#app;
		if (!this.#shown) {
			return; // the row will be requested when the list is shown
		}
		const row = app.row;
		if (row < 0) {
			this.#mark(-1);
			return;
		}
		if (this.#rows.row(this.#chosen)?.row === row) {
			return;
		}
		this.#wantsRow = app.matches.examined <= row && !app.matches.done;
		this.#finding?.abort();
		const { signal } = this.#finding = new AbortController();
		try {
			const found = this.#rows.row(this.#at)?.row === row ? { at: this.#at, row } : await this.#rows.around(row, signal);
			if (!signal.aborted && !this.#wantsRow) {
				this.#at = found.at;
				this.#mark(found.row === row ? found.at : -1);
				this.#lines.reveal(found.at, !this.#lines.shows(found.at));
			}
		} catch (error) {
			app.complain(error);
		}
	}

	#mark(place) {
		for (const n of [this.#chosen, place]) {
			this.#lines.elementOf(n)?.setAttribute("aria-selected", String(n === place));
		}
		this.#chosen = place;
		this.#moved();
	}

	// #choose selects the row at an index of the list.
	async #choose(at) {
		at = Math.max(Math.min(at, this.#rows.total - 1), 0);
		this.#at = at;
		this.#lines.reveal(at);
		const row = this.#rows.row(at)?.row ?? (this.#filter === "" ? at : await this.#rowAt(at));
		if (row >= 0 && this.#at === at) {
			this.#mark(at);
			this.#app.look(row);
		}
	}

	async #rowAt(at) {
		try {
			const { rows } = await this.#app.ask("rows", { filter: this.#filter, from: at, count: 1 });
			return rows[0]?.row ?? -1;
		} catch (error) {
			this.#app.complain(error);
			return -1;
		}
	}

	#key(event) {
		const { page, total } = this.#lines;
		const from = Math.max(this.#at, -1);
		const to = {
			ArrowDown: from + 1, ArrowUp: from - 1, PageDown: from + page, PageUp: from - page, Home: 0, End: total - 1,
		}[event.key];
		if (event.ctrlKey && event.key !== "Home" && event.key !== "End" || event.altKey || event.metaKey) {
			return;
		}
		if (to !== undefined && total > 0) {
			this.#choose(to);
		} else if (event.key === "Enter" && this.#app.row >= 0) {
			this.#app.tell("enter-detail");
		} else if (event.key === "ContextMenu" || event.key === "F10" && event.shiftKey) {
			this.#menuOfChosen();
		} else {
			return;
		}
		event.preventDefault();
	}

	#placeOf(event) {
		const element = event.target.closest(".row");
		return element ? Number(element.getAttribute("aria-rowindex")) - 2 : -1;
	}

	#clicked(event) {
		const at = this.#placeOf(event);
		if (at >= 0) {
			this.#grid.focus({ preventScroll: true });
			this.#choose(at);
		}
	}

	#menuAt(event) {
		const at = this.#placeOf(event);
		const row = this.#rows.row(at);
		if (row) {
			event.preventDefault();
			this.#choose(at);
			const column = event.target.closest(".cell")?.classList[1];
			messageMenu(this.#app, row, column, { x: event.clientX, y: event.clientY }, this.#grid);
		}
	}

	#menuOfChosen() {
		const element = this.#lines.elementOf(this.#chosen);
		const row = this.#rows.row(this.#chosen);
		if (element && row) {
			const { left, bottom } = element.getBoundingClientRect();
			messageMenu(this.#app, row, "", { x: left + 40, y: bottom }, this.#grid);
		}
	}

	async #nextFinding(back) {
		const app = this.#app;
		try {
			const { row } = await app.whole("next", { row: app.row, back, filter: app.during() }, { later: false });
			if (row < 0) {
				const where = app.during() === "" ? "." : " that matches the filter.";
				app.say("There is no " + (back ? "earlier" : "later") + " message with a finding" + where);
				return;
			}
			app.look(row);
		} catch (error) {
			app.complain(error);
		}
	}
}
