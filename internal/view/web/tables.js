// tables.js shows the tables that -z prints. They can be sorted by any column, and searched.

import { copy, el } from "gamedissect/dom";
import { count, counted, number, quantity, seconds } from "gamedissect/format";
import { soon } from "gamedissect/paint";

export const tables = { name: "tables", title: "Tables", make };

const height = 26; // pixels per row; only visible rows are drawn, because there may be thousands

function make(app, scope) {
	const which = el("select", { "aria-label": "Table" });
	const sift = el("input", { type: "search", placeholder: "Search in the table", "aria-label": "Search in the table" });
	const told = el("span", { class: "dim", role: "status" });
	const stage = el("div", { class: "table-stage" });
	let all = [];
	let grid = null;
	const current = () => all.find((table) => keyOf(table) === which.value);
	const draw = () => {
		const table = current();
		if (!table) {
			stage.replaceChildren(el("p", { class: "empty" }, "Nothing was counted."));
			return;
		}
		grid = new Grid(table, grid?.key === keyOf(table) ? grid.order : null);
		stage.replaceChildren(grid.element);
		search();
	};
	const search = () => {
		grid?.search(sift.value.toLowerCase(), scope.server);
		const left = grid?.table.left_out ? "; " + counted(grid.table.left_out, "row") + " left out" : "";
		told.textContent = grid ? counted(grid.rows.length, "row") + left : "";
	};
	which.addEventListener("change", draw);
	sift.addEventListener("input", search);
	const csv = el("button", {
		type: "button", class: "quiet", onclick: async () => {
			app.say(grid && await copy(grid.csv())
				? counted(grid.rows.length, "row") + " copied as CSV." : "This browser does not let the page write to the clipboard.");
		},
	}, "Copy as CSV");
	return {
		element: el("div", { class: "tables" }, el("div", { class: "asking" }, el("label", {}, "Table ", which), sift, csv, told), stage),
		refresh: async () => {
			all = (await scope.counted()).tables.map(narrow);
			const { tables: names = [], protocol, text } = app.take();
			const wanted = names.map((name) => all.find((table) => table.name === name && (!protocol || table.protocol === protocol)))
				.find(Boolean);
			if (wanted) {
				sift.value = text && wanted.rows.some((row) => row.includes(text)) ? text : "";
			}
			const before = wanted ? keyOf(wanted) : which.value;
			which.replaceChildren(...all.map((table) => el("option", { value: keyOf(table) }, table.title)));
			const first = all.find(({ name }) => name === "messages") ?? all[0];
			which.value = all.some((table) => keyOf(table) === before) ? before : first ? keyOf(first) : "";
			draw();
		},
	};
}

// narrow hides the server column on a small screen if all rows have the same server.
function narrow(table) {
	const { columns, rows } = table;
	const at = columns.findIndex(({ name }) => name === "server");
	if (at < 0 || !columns.some(({ name }) => name === "who") || !matchMedia("(max-width: 700px)").matches ||
		rows.some((row) => row[at] !== rows[0][at])) {
		return table;
	}
	const without = (list) => list.filter((_, i) => i !== at);
	return { ...table, columns: without(columns), rows: rows.map(without) };
}

const keyOf = ({ protocol, name }) => (protocol ?? "") + " " + name;

// Grid is a table that draws only its visible rows. If the function chosen is given, Grid calls it with a row when the
// user clicks the row's first cell.
export class Grid {
	rows;
	#body = el("tbody", {});
	#heads;
	#draw = soon(() => this.#paint());
	#chosen;

	constructor(table, order, chosen = null) {
		this.table = table;
		this.#chosen = chosen;
		this.key = keyOf(table);
		this.order = order; // {column, down}; null: the program's order
		this.rows = table.rows;
		this.#heads = table.columns.map(({ name, number: aligned }, i) => el("th", {
			scope: "col", "aria-sort": "none", class: aligned ? "number" : "",
		},
			el("button", { type: "button", onclick: () => this.#sortBy(i) }, name)));
		const widths = table.columns.map((column, i) => Math.min(44, Math.max(column.name.length + 1.5, ...table.rows.slice(0, 500).map((row) =>
			shown(row[i], column).length))) * 0.95 + 2.5);
		this.element = el("div", { class: "number-table", tabindex: "0", role: "region", "aria-label": table.title },
			el("table", { style: { width: widths.reduce((a, b) => a + b, 0) + "ch" }, "aria-rowcount": table.rows.length + 1 },
				el("colgroup", {}, widths.map((ch) => el("col", { style: { width: ch + "ch" } }))),
				el("thead", {}, el("tr", {}, this.#heads)), this.#body));
		this.element.addEventListener("scroll", this.#draw);
		new ResizeObserver(this.#draw).observe(this.element);
	}

	#sortBy(column) {
		const first = !this.table.columns[column].number; // texts in ascending order, numbers in descending order
		const before = this.order?.column === column ? this.order.down : null;
		this.order = before === null ? { column, down: !first } : before === !first ? { column, down: first } : null;
		this.#arrange();
	}

	// search keeps the rows that contain a text and belong to a server.
	search(text, server) {
		const at = this.table.columns.findIndex(({ name }) => name === "server");
		this.sought = this.table.rows.filter((row) => (server === "" || at < 0 || row[at] === server) &&
			(text === "" || row.some((cell) => String(cell ?? "").toLowerCase().includes(text))));
		this.#arrange();
	}

	#arrange() {
		this.rows = this.sought ?? this.table.rows;
		if (this.order) {
			const { column, down } = this.order;
			this.rows = [...this.rows].sort((a, b) => compare(a[column], b[column]) * (down ? -1 : 1) || 0);
			const nothing = (row) => row[column] === null || row[column] === "";
			this.rows = [...this.rows.filter((row) => !nothing(row)), ...this.rows.filter(nothing)];
		}
		for (const [i, head] of this.#heads.entries()) {
			head.setAttribute("aria-sort", this.order?.column !== i ? "none" : this.order.down ? "descending" : "ascending");
		}
		this.element.scrollTop = 0;
		this.#paint();
	}

	#paint() {
		const first = Math.max(0, Math.floor(this.element.scrollTop / height) - 8);
		const last = Math.min(this.rows.length, first + Math.ceil((this.element.clientHeight || 600) / height) + 16);
		const gap = (rows) => el("tr", { "aria-hidden": "true", style: { height: rows * height + "px" } });
		this.#body.replaceChildren(gap(first), ...this.rows.slice(first, last).map((row, i) => el("tr", { "aria-rowindex": first + i + 2 },
			row.map((cell, k) => {
				const text = shown(cell, this.table.columns[k]);
				return el("td", { class: this.table.columns[k].number ? "number" : "", title: text.length > 20 ? text : null },
					k === 0 && this.#chosen ? el("button", { type: "button", class: "chosen", onclick: () => this.#chosen(row) }, text) : text);
			}))), gap(this.rows.length - last));
	}

	csv() {
		const quoted = (cell) => /[",\n\r]/.test(cell) ? "\"" + cell.replaceAll("\"", "\"\"") + "\"" : cell;
		const lines = [this.table.columns.map(({ name, unit }) => name + (unit ? " (" + unit + ")" : "")), ...this.rows];
		return lines.map((row) => row.map((cell) => quoted(String(cell ?? ""))).join(",")).join("\r\n") + "\r\n";
	}
}

const byName = new Intl.Collator("en", { numeric: true }).compare;

function compare(a, b) {
	return typeof a === "number" && typeof b === "number" ? a - b : byName(String(a ?? ""), String(b ?? ""));
}

// shown formats a cell. Times in the capture have the usual form, durations have a suitable unit, and numbers of bytes
// are exact.
function shown(cell, { name, unit }) {
	if (cell === null || cell === undefined) {
		return "";
	}
	if (typeof cell !== "number") {
		return String(cell);
	}
	if (unit === "s") {
		return /^played$| (p\d+|max)$/.test(name) ? quantity(cell, "s") : seconds(cell);
	}
	if (/^port$|frame$/.test(name)) {
		return String(cell);
	}
	return unit === "B" ? count(cell) : number(cell);
}
