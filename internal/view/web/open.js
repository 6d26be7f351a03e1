// open.js is the page without a capture: it asks for one.

import { el } from "gamedissect/dom";

// openings shows where to drop a capture, and hands it to open, which throws what is wrong with it.
export function openings(open) {
	const input = el("input", { type: "file", id: "file", class: "unseen", onchange: () => take(input.files[0]) });
	const said = el("p", { class: "said", role: "alert" });
	const label = el("label", { for: "file", class: "button" }, "Open a capture …");
	const place = el("main", { class: "opening" },
		el("h1", {}, "gamedissect"),
		el("p", {}, "What was said between old games and their servers: Bloodmasters, Iceball, BZFlag, Tribes."),
		el("p", {}, input, label),
		el("p", {}, "or drop a pcap or pcapng file here, plain or inside gzip or zstd."),
		said,
		el("p", { class: "dim" }, "The file is read in this browser. Nothing leaves your computer."));
	const over = (event) => {
		event.preventDefault();
		place.classList.toggle("over", event.type === "dragover");
	};
	const drop = (event) => {
		over(event);
		take(event.dataTransfer.files[0]);
	};
	let busy = false;

	async function take(file) {
		if (!file || busy) {
			return;
		}
		busy = true;
		said.textContent = "Opening " + file.name + " …";
		try {
			await open(file);
			for (const [event, f] of Object.entries({ dragover: over, dragleave: over, drop })) {
				removeEventListener(event, f);
			}
		} catch (error) {
			said.textContent = error.message;
		}
		input.value = "";
		busy = false;
	}

	addEventListener("dragover", over);
	addEventListener("dragleave", over);
	addEventListener("drop", drop);
	document.body.replaceChildren(place);
}
