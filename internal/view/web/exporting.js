// exporting.js saves what the page shows: packets, rows, notes, and the page itself.

import { servedReport } from "gamedissect/ask";
import { download, el } from "gamedissect/dom";
import { counted, size } from "gamedissect/format";
import { fromBase64 } from "gamedissect/base64";
import { asJSON, listed } from "gamedissect/notes";
import { writeReport } from "gamedissect/reportfile";

// work runs f({signal, progress}) with a dialog that shows the progress and has a button to cancel. f calls
// progress(fraction, text); fraction is null if unknown.
async function work(app, title, f) {
	const stop = new AbortController();
	const bar = el("progress", { max: "1", "aria-label": title });
	const told = el("p", { class: "dim", role: "status" });
	const cancel = () => stop.abort(new DOMException("cancelled", "AbortError"));
	const dialog = el("dialog", { class: "working", "aria-label": title, oncancel: cancel },
		el("h2", {}, title), bar, told, el("button", { type: "button", class: "quiet", onclick: cancel }, "Cancel"));
	document.body.append(dialog);
	const later = setTimeout(() => dialog.showModal(), 150); // quick work needs no dialog
	try {
		await f({
			signal: stop.signal,
			progress(part, text = "") {
				stop.signal.throwIfAborted();
				if (part === null) {
					bar.removeAttribute("value");
				} else {
					bar.value = part;
				}
				told.textContent = text;
			},
		});
	} catch (error) {
		if (error.name === "AbortError") {
			app.say("Nothing was written.");
		} else {
			app.complain(error);
		}
	} finally {
		clearTimeout(later);
		dialog.remove();
	}
}

// fileName derives a file name from the name of the capture.
function fileName(app, ending) {
	const base = app.state.name.replace(/\.(gz|zst)$/i, "").replace(/\.(pcapng|pcap|cap)$/i, "").replace(/[^\w.-]+/g, "_");
	return (base || "capture") + ending;
}

// packets returns a capture file with the packets of the rows that match a filter. It also returns the number of
// packets that could not be anonymized.
async function packets(app, { filter, anonymize }, { signal, progress }) {
	const request = { filter, notes: anonymize ? [] : listed(app.notes), anonymize, next: 0, ms: 50 };
	const pieces = [];
	let bytes = 0;
	for (;;) {
		const answer = await app.ask("export", request, { signal });
		if (answer.data) {
			const piece = fromBase64(answer.data);
			bytes += piece.length;
			pieces.push(new Blob([piece])); // the browser may store the Blob on disk
		}
		request.next = answer.next;
		progress(null, size(bytes));
		if (answer.done) {
			return { file: new Blob(pieces, { type: "application/octet-stream" }), dropped: answer.dropped };
		}
	}
}

const replaced = "; names, chat and addresses are replaced";

// exportPackets saves the packets of the rows that match the filter, either with notes as comments or without names.
export function exportPackets(app, saved, anonymize) {
	return work(app, "Writing packets", async (how) => {
		const { file, dropped } = await packets(app, { filter: app.filter, anonymize }, how);
		const name = anonymize ? "anonymized" : app.filter ? "-filtered" : "";
		download(anonymize ? name + ".pcapng" : fileName(app, name + ".pcapng"), file);
		app.say(size(file.size) + " of packets are written" + (anonymize
			? replaced + (dropped > 0 ? ", " + counted(dropped, "other packet") + " left out." : ".")
			: app.notes.size > 0 ? ", with the notes as comments." : "."));
		anonymize || saved();
	});
}

// exportPage saves this page, either with notes or without names.
export function exportPage(app, saved, anonymize) {
	return work(app, "Writing the page", async ({ signal, progress }) => {
		const setup = { ...app.setup, name: app.state.name, token: "", good: null, filter: app.filter, notes: listed(app.notes), anonymize };
		let capture = null;
		if (anonymize) { // the filter and the notes may contain names, too
			Object.assign(setup, { name: "anonymized.pcapng", filter: "", notes: [] });
			capture = app.setup.reports ? null : (await packets(app, setup, { signal, progress })).file;
		}
		progress(null, app.setup.reports ? "The first time the engine for browsers may have to be built: about a minute." : "");
		const page = app.setup.reports ? await servedReport(app.setup.token, setup, signal)
			: await writeReport(setup, { capture, signal, progress: (part) => progress(part, size(part * app.state.size)) });
		download(anonymize ? "anonymized.html" : fileName(app, ".html"), page);
		app.say("The page is written: " + size(page.size) + (anonymize ? replaced + "." : ", with " + counted(app.notes.size, "note") + "."));
		anonymize || saved();
	});
}

// exportNotes saves only the notes.
export function exportNotes(app, saved) {
	download(fileName(app, "-notes.json"), asJSON(app.notes), "application/json");
	app.say(counted(app.notes.size, "note") + " written.");
	saved();
}

const columns = ["row", "frame", "time", "stream", "src", "dst", "protocol", "direction", "name", "code", "length", "severity", "rules",
	"summary", "note"];

// exportRows saves all matching rows as "csv" or "json".
export function exportRows(app, form) {
	return work(app, "Writing rows", async ({ signal, progress }) => {
		const filter = app.condition();
		const pieces = [form === "csv" ? columns.join(",") + "\r\n" : "[\n"];
		let written = 0;
		for (;;) {
			const answer = await app.ask("rows", { from: written, count: 1000, filter, ms: 50 }, { signal });
			const lines = answer.rows.map((row) => ({ ...row, note: app.notes.get(row.row) }));
			if (lines.length > 0) {
				const json = () => (written > 0 ? ",\n" : "") + lines.map((row) => JSON.stringify(row)).join(",\n");
				pieces.push(new Blob([form === "csv" ? lines.map(csvLine).join("") : json()]));
				written += lines.length;
			} else if (answer.done) {
				break;
			}
			progress(answer.examined / (app.state.rows || 1), counted(written, "row"));
		}
		pieces.push(form === "csv" ? "" : "\n]\n");
		download(fileName(app, "-rows." + form), new Blob(pieces, { type: form === "csv" ? "text/csv" : "application/json" }));
		app.say(counted(written, "row") + " written" + (app.state.done ? "." : ", of what was read so far."));
	});
}

function csvLine(row) {
	return columns.map((name) => cell(row[name])).join(",") + "\r\n";
}

// cell formats a value for a table. A text that begins like a formula gets an apostrophe, so that a spreadsheet does
// not execute it.
function cell(value) {
	if (value === undefined || typeof value === "number") {
		return String(value ?? "");
	}
	const text = (Array.isArray(value) ? value.join(" ") : value).replace(/^(?=[=+\-@\t\r])/, "'");
	return /[",\r\n]/.test(text) ? "\"" + text.replaceAll("\"", "\"\"") + "\"" : text;
}
