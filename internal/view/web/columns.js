// columns.js defines the columns of the message list.

import { el, marks } from "gamedissect/dom";
import { seconds } from "gamedissect/format";

export const waysTold = { c2s: "to the server", s2c: "from the server", p2p: "between equals" };

// A column is as wide as its widest content so far, within limits. The summary gets the remaining width.
export const columns = [
	{ name: "mark", title: "", label: "Findings and notes", least: 2, most: 2, text: (row) => marks[row.severity] ?? "" },
	{ name: "frame", title: "Frame", least: 5, most: 9, text: (row) => String(row.frame) },
	{ name: "time", title: "Time", least: 9, most: 14, text: (row) => seconds(row.time) },
	{ name: "src", title: "Source", least: 12, most: 24, text: (row) => row.src ?? "" },
	{ name: "way", title: "", label: "Direction", least: 2, most: 2, text: (row) => row.src && row.dst ? "→" : "" },
	{ name: "dst", title: "Destination", least: 12, most: 24, text: (row) => row.dst ?? "" },
	{ name: "protocol", title: "Protocol", least: 8, most: 14, text: (row) => row.protocol ?? "" },
	{ name: "name", title: "Message", least: 10, most: 26, text: called },
	{ name: "length", title: "Bytes", least: 5, most: 8, text: (row) => row.finding ? "" : String(row.length ?? 0) },
	{ name: "summary", title: "Summary", text: (row) => row.summary ?? "" },
];

// called returns the name of a row's message, or the rule if the row is a finding without a message.
function called({ finding, rules, name, code }) {
	return finding ? rules?.[0] ?? "finding" : name ?? code ?? "";
}

// header returns the line with the columns' names.
export function header() {
	return el("div", { class: "row header", role: "row", "aria-rowindex": "1" }, columns.map(({ name, title, label }) =>
		el("div", { class: "cell " + name, role: "columnheader", title: label ?? null },
		label ? el("span", { class: "unseen" }, label) : title)));
}

let made = 0;

// emptyRow returns an element for a row. The page may have several lists.
export function emptyRow() {
	return el("div", { class: "row", role: "row", id: "row-" + made++, tabindex: "-1" },
		columns.map(({ name }) => el("div", { class: "cell " + name, role: "gridcell" })));
}

// fillRow shows a row, or a placeholder if the row has not arrived yet.
export function fillRow(element, row, note) {
	element.className = row ? ["row", row.severity, row.direction, row.copy && "copy", row.move && "move", row.finding && "finding"]
		.filter(Boolean).join(" ") : "row waiting";
	for (const [i, { name, text }] of columns.entries()) {
		const cell = element.children[i];
		const shown = row ? text(row) + (name === "mark" && note ? "✎" : "") : "";
		if (cell.textContent !== shown) {
			cell.textContent = shown;
		}
		if (name === "mark" || name === "way") {
			const told = row ? (name === "way" ? waysTold[row.direction] : marked(row, note)) : "";
			told ? cell.setAttribute("aria-label", told) : cell.removeAttribute("aria-label");
		}
	}
}

function marked(row, note) {
	return [row.severity && row.severity + ": " + (row.rules ?? []).join(", "), note && "note: " + note].filter(Boolean).join("; ");
}

// Widths has the widths of the columns in characters. They only grow, so that the list does not jump.
export class Widths {
	#widths = new Map(columns.map(({ name, least }) => [name, least]));

	// take widens the columns for some rows. It reports whether a column grew.
	take(rows) {
		let grew = false;
		for (const { name, most, text } of columns) {
			for (const row of most ? rows : []) {
				const long = Math.min(text(row).length, most);
				if (long > this.#widths.get(name)) {
					this.#widths.set(name, long);
					grew = true;
				}
			}
		}
		return grew;
	}

	// put applies the widths to an element.
	put(element) {
		for (const { name, most } of columns) {
			if (most) {
				element.style.setProperty("--wide-" + name, this.#widths.get(name) + "ch");
			}
		}
	}
}
