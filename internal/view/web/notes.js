// notes.js is the dialog for a note on a message, and the list of all notes.

import { el, iconButton } from "gamedissect/dom";
import { seconds } from "gamedissect/format";

const mostLines = 200; // maximum number of notes for which the list shows the message

// notesDialog shows the dialog for the selected message on the event "write-note".
export function notesDialog(app) {
	const drafts = new Map(); // row -> text that is not saved yet
	const about = el("p", { class: "about" });
	const text = el("textarea", {
		rows: "4", "aria-label": "Note", placeholder: "What does this message show?", oninput: () => drafts.set(app.row, text.value),
		onkeydown: (event) => {
			if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
				event.preventDefault();
				save();
			}
		},
	});
	const saving = el("button", { type: "button", class: "button", title: "Save (Ctrl-Enter)", onclick: () => save() }, "Save the note");
	const removing = el("button", { type: "button", class: "quiet", onclick: () => remove(app.row) }, "Delete it");
	const list = el("ul", { class: "all" });
	const heading = el("h3", {});
	const dialog = el("dialog", { class: "notes", "aria-label": "Notes" },
		el("h2", {}, "Notes"), about, text,
		el("p", { class: "buttons" }, saving, removing, el("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Close")),
		heading, list,
		el("p", { class: "dim" }, "Notes stay in this browser until Export writes them into a page for others, into the packets ",
			"as comments, or as JSON."));
	document.body.append(dialog);

	function save() {
		drafts.delete(app.row);
		app.note(app.row, text.value);
		dialog.close();
		app.say(text.value.trim() === "" ? "This message has no note." : "The note is saved. Export writes it into a file.");
	}

	function remove(row) {
		drafts.delete(row);
		app.note(row, "");
		if (row === app.row) {
			text.value = "";
		}
		show();
	}

	async function lineOf(row) {
		const { rows } = await app.ask("rows", { from: row, count: 1 });
		const m = rows[0];
		return m ? seconds(m.time) + " s  " + (m.name ?? m.protocol ?? "") + "  " + (m.summary ?? "") : "";
	}

	function show() {
		const chosen = app.row >= 0;
		text.hidden = saving.hidden = !chosen;
		removing.hidden = !chosen || !app.notes.has(app.row);
		about.textContent = chosen ? "Message " + app.row : "Choose a message, then write a note on it.";
		if (chosen) {
			const row = app.row;
			lineOf(row).then((line) => row === app.row && (about.textContent = line)).catch((error) => app.complain(error));
		}
		const all = [...app.notes].sort(([a], [b]) => a - b);
		heading.textContent = all.length > 0 ? "All notes" : "";
		list.replaceChildren(...all.map(([row, note], i) => item(row, note, i < mostLines)));
	}

	function item(row, note, named) {
		const where = el("span", { class: "where" }, "message " + row);
		if (named) {
			lineOf(row).then((line) => where.replaceChildren(line)).catch(() => {}); // if this fails, the list still shows the number
		}
		return el("li", {},
			el("button", {
				type: "button", class: "jump", title: "Go to this message", onclick: () => {
					dialog.close();
					app.look(row);
				},
			}, where, el("span", { class: "text" }, note)),
			iconButton("✕", "Delete this note", () => remove(row)));
	}

	app.addEventListener("write-note", () => {
		text.value = drafts.get(app.row) ?? app.notes.get(app.row) ?? "";
		show();
		if (!dialog.open) {
			dialog.showModal();
		}
		text.focus();
	});
	return dialog;
}

// asJSON returns the notes in the form that gamedissect report --notes reads.
export function asJSON(notes) {
	return JSON.stringify(listed(notes), null, "\t") + "\n";
}

// listed returns the notes in the order of their messages.
export function listed(notes) {
	return [...notes].sort(([a], [b]) => a - b).map(([row, text]) => ({ row, text }));
}

// guard keeps notes in the browser until they are saved to a file. A served page has a new address each time, so its
// notes cannot be kept, and guard warns before such a page closes. The returned function must be called after all notes
// have been saved.
export function guard(app) {
	const { name, size, start } = app.state;
	const key = ["gamedissect.notes", name, size, start].join(" ");
	let saved = asJSON(app.notes);
	let kept = false;
	try {
		for (const { row, text } of JSON.parse(localStorage.getItem(key) ?? "[]")) {
			app.notes.set(row, app.notes.get(row) ?? text);
		}
	} catch {
		// A page from disk may not be allowed to store anything.
	}
	app.addEventListener("notes", () => {
		try {
			localStorage.setItem(key, asJSON(app.notes));
			kept = !app.setup.token;
		} catch {
			kept = false;
		}
	});
	addEventListener("beforeunload", (event) => {
		if (!kept && asJSON(app.notes) !== saved) {
			event.preventDefault();
		}
	});
	return () => {
		saved = asJSON(app.notes);
		localStorage.removeItem(key);
	};
}
