// keys.js handles the keys of the whole page. Each view handles its own keys.

import { el } from "gamedissect/dom";

const list = [
	["↑ ↓ PgUp PgDn Home End", "go through the messages"],
	["Enter", "go into the message's fields"],
	["/", "type a filter; Enter applies it, Enter again goes to the messages"],
	["n  N", "the next or previous message with a finding"],
	["1 … 9", "the views"],
	["c", "copy a link to this place"],
	["m", "write a note on the message"],
	["Esc", "close a dialog; from the filter or the fields, go back to the messages"],
	["?", "this help"],
];

// keys listens for keys, and shows the help.
export function keys(app, views, go) {
	const help = el("dialog", { class: "help", "aria-label": "Help and keys" },
		el("h2", {}, "Keys"),
		el("dl", {}, list.flatMap(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])),
		el("p", {}, "Filters work as with -Y: bzflag24.killed && frame.time_relative > 5. Names are suggested while " +
			"you type; Ctrl-Space shows all."),
		el("p", { class: "dim" }, "gamedissect " + app.setup.version),
		el("form", { method: "dialog" }, el("button", { class: "button" }, "Close")));
	document.body.append(help);
	app.addEventListener("help", () => help.showModal());
	addEventListener("keydown", (event) => {
		if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey ||
			event.target.matches("input:not([type=checkbox]), textarea, select, dialog *")) {
			return;
		}
		const view = views[Number(event.key) - 1];
		const told = { "?": "help", "/": "write-filter", n: "next-finding", N: "previous-finding", c: "copy-link", m: "write-note" }[event.key];
		if (view) {
			go(view);
		} else if (told) {
			app.tell(told);
		} else if (event.key === "Escape") {
			app.tell("escape");
		} else if (/^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/.test(event.key) && event.target === document.body && app.view === "messages") {
			const grid = document.querySelector(".list .grid"); // the page has just been opened, and nothing has the focus
			grid.focus();
			grid.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, cancelable: true }));
		} else {
			return;
		}
		event.preventDefault();
	});
}
