// actions.js makes the buttons at the top: a link to the current place, notes, and exports.

import { copy, el } from "gamedissect/dom";
import { exportNotes, exportPackets, exportPage, exportRows } from "gamedissect/exporting";
import { openMenu } from "gamedissect/menu";
import { guard, notesDialog } from "gamedissect/notes";
import { canWriteReport } from "gamedissect/reportfile";

// actions returns the buttons.
export function actions(app) {
	const saved = guard(app);
	app.addEventListener("copy-link", () => link(app));
	notesFrame(app);
	const number = el("span", { class: "number" });
	const note = el("button", { type: "button", class: "quiet", title: "Notes (m)", onclick: () => app.tell("write-note") }, "Note", number);
	app.on("notes", () => {
		number.textContent = app.notes.size > 0 ? String(app.notes.size) : "";
	});
	let anonymize = null; // null: the user has not chosen yet
	const open = async () => {
		if (anonymize === null && (await app.whole("secrets", {}, { later: false })).found) {
			anonymize = true;
		}
		const { left, bottom } = writing.getBoundingClientRect();
		openMenu(app, { x: left, y: bottom + 4 }, writing, "Export", [
			["Replace names, chat and addresses", () => {
				anonymize = !anonymize;
				return open();
			}, Boolean(anonymize), "Also passwords. Then notes, and packets that belong to no game, are left out."],
			null,
			...exports(app, saved, Boolean(anonymize)),
		]);
	};
	const writing = el("button", {
		type: "button", class: "quiet", "aria-haspopup": "menu", title: "Write packets, rows or notes into a file",
		onclick: () => open().catch((error) => app.complain(error)),
	}, "Export ▾");
	return [
		el("button", { type: "button", class: "quiet", title: "Copy a link to this place (c)", onclick: () => app.tell("copy-link") }, "Link"),
		note, writing,
	];
}

// notesFrame makes the dialog when it is first needed, because the page does not exist earlier.
function notesFrame(app) {
	app.addEventListener("write-note", () => {
		notesDialog(app);
		app.tell("write-note"); // from now on, the dialog handles this event
	}, { once: true });
}

// exports are the items of the menu. Rows cannot be anonymized.
function exports(app, saved, anonymize) {
	const matching = app.filter === "" ? "All " : "Matching ";
	const noted = !anonymize && app.notes.size > 0;
	return [
		(anonymize || !app.setup.mask_secrets)
			&& [matching + "packets as pcapng" + (noted ? ", with notes" : ""), () => exportPackets(app, saved, anonymize)],
		!anonymize && [matching + "rows as CSV", () => exportRows(app, "csv")],
		!anonymize && [matching + "rows as JSON", () => exportRows(app, "json")],
		null,
		(canWriteReport() || app.setup.reports)
			&& ["A page for others" + (noted ? ", with notes" : "") + " (HTML)", () => exportPage(app, saved, anonymize)],
		app.notes.size > 0 && ["Notes as JSON", () => exportNotes(app, saved)],
	];
}

// link copies a link to the current place, without the token that the server requires.
async function link(app) {
	const place = app.link();
	const served = Boolean(app.setup.token);
	const disk = location.protocol === "file:";
	const text = served ? location.origin + location.pathname + place : disk ? place : location.href.split("#")[0] + place;
	if (!await copy(text)) {
		app.say("This browser does not let the page write to the clipboard. The link is " + text, "error");
		return;
	}
	app.say(served
		? "The link is on the clipboard, without its token. The part from # on also works with a report of this capture."
		: disk ? "The end of the address is on the clipboard. Append it to the address of this page." : "The link is on the clipboard.");
}
