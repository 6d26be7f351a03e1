// open.js is the page without a capture, which asks the user for one.

import { el } from "gamedissect/dom";

// openings shows where to drop captures. It passes them to open, which throws an error if a file is not a capture.
export function openings(open) {
	const input = el("input", { type: "file", id: "file", class: "unseen", multiple: true, onchange: () => take([...input.files]) });
	const said = el("p", { class: "said", role: "alert" });
	const label = el("label", { for: "file", class: "button" }, "Open captures …");
	const place = el("main", { class: "opening" },
		el("h1", {}, "gamedissect"),
		el("p", {}, "Messages between old games and their servers: Bloodmasters, Iceball, BZFlag, Tribes."),
		el("p", {}, input, label),
		el("p", {}, "or drop pcap or pcapng files here, plain or inside gzip or zstd. Several are shown as one."),
		said,
		el("p", { class: "dim" }, "They are read in this browser. Nothing leaves your computer."));
	const over = (event) => {
		event.preventDefault();
		place.classList.toggle("over", event.type === "dragover");
	};
	const drop = (event) => {
		over(event);
		take([...event.dataTransfer.files]);
	};
	let busy = false;

	async function take(files) {
		if (files.length === 0 || busy) {
			return;
		}
		busy = true;
		said.textContent = "Opening " + files.map(({ name }) => name).join(", ") + " …";
		try {
			await open(files);
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
