// detail.js is the pane for the selected message: its description, its fields, and its bytes.

import { Bytes } from "gamedissect/bytes";
import { waysTold } from "gamedissect/columns";
import { copy, el, iconButton } from "gamedissect/dom";
import { counted, seconds } from "gamedissect/format";
import { fieldMenu } from "gamedissect/menu";
import { findingBox, Tree } from "gamedissect/tree";

// detailPane returns the pane.
export function detailPane(app) {
	return new Detail(app).element;
}

class Detail {
	#app;
	#shown = null; // the current answer
	#tree = null;
	#bytes;
	#head = el("header", { class: "about" });
	#note = el("p", { class: "written", hidden: true });
	#fields = el("div", { class: "fields" });
	#under = el("p", { class: "under dim", "aria-live": "polite" });
	#work = null;
	#enter = false; // move the focus into the fields when they are shown
	#missing = -1; // a row that could not be shown

	constructor(app) {
		this.#app = app;
		this.#bytes = new Bytes({
			over: (offset) => this.#tree?.hint(offset < 0 ? null : this.#tree.deepest(offset)),
			chosen: (offset) => this.#choseByte(offset),
		});
		this.element = el("aside", { class: "detail", "aria-label": "Message" }, this.#head, this.#note,
			el("div", { class: "parts" }, this.#fields, this.#under, this.#bytes.element));
		app.on("row", () => this.#look(false));
		app.addEventListener("state", () => { // a link may name a row that had not been read before
			if (this.#missing >= 0 && this.#missing === app.row && app.row < app.state.rows) {
				this.#look(false);
			}
		});
		app.on("notes", () => this.#showNote());
		app.addEventListener("escape", () => app.look(-1));
		app.addEventListener("enter-detail", () => {
			this.#enter = this.#shown?.row !== app.row;
			this.#tree?.focus();
		});
		this.element.addEventListener("keydown", (event) => {
			if (event.key === "Escape" && !event.defaultPrevented && this.element.contains(document.activeElement)) {
				document.querySelector(".list .grid")?.focus();
				event.preventDefault();
				event.stopPropagation();
			}
		});
	}

	async #look(all) {
		const { row } = this.#app;
		this.#missing = -1;
		this.#work?.abort();
		if (row < 0) {
			this.#nothing();
			return;
		}
		const { signal } = this.#work = new AbortController();
		try {
			const answer = await this.#app.ask("detail", { row, all }, { signal });
			if (!signal.aborted) {
				this.#show(answer);
			}
		} catch (error) {
			if (!signal.aborted) {
				this.#missing = row;
				this.#nothing(error.message);
			}
		}
	}

	#nothing(text = "") {
		this.#shown = null;
		this.#tree?.stop();
		this.#tree = null;
		this.#head.replaceChildren();
		this.#under.textContent = "";
		this.#fields.replaceChildren(el("p", { class: "empty" }, text));
		this.#bytes.element.hidden = true;
		this.#showNote();
	}

	#show(answer) {
		const within = this.#enter || this.#fields.contains(document.activeElement);
		const again = this.#shown?.row === answer.row; // the same message, now with all of its fields
		const scrolled = this.#fields.scrollTop;
		this.#enter = false;
		this.#shown = answer;
		this.#showHead(answer);
		this.#showNote();
		this.#tree?.stop();
		this.#tree = answer.tree ? new Tree(answer, {
			over: (node) => node && !node.computed ? this.#bytes.hint(node.offset, node.size) : this.#bytes.hint(0, 0),
			chosen: (node) => this.#chose(node),
			menu: (node, place, from) => fieldMenu(this.#app, answer, node, place, from),
			all: () => this.#look(true),
		}) : null;
		const loose = (answer.findings ?? []).filter(({ node }) => node === undefined);
		this.#fields.replaceChildren(...loose.map(findingBox), ...(answer.finding ? [this.#onward(answer)] : []),
			...(this.#tree ? [this.#tree.element] : []),
			...(answer.left_out ? [el("p", { class: "empty" }, counted(answer.left_out, "field") + " more, not shown")] : []));
		this.#fields.scrollTop = again ? scrolled : 0;
		this.#bytes.element.hidden = !answer.data;
		this.#bytes.show(answer.data ?? "");
		this.#under.textContent = bytesTold(answer);
		const { about } = this.#app;
		const placed = (answer.findings ?? []).filter(({ node }) => node !== undefined);
		const first = placed.find(({ rule }) => rule === about) ?? placed[0];
		if (first && this.#tree && (!again || about !== "")) {
			this.#tree.choose(this.#tree.nth(first.node));
			this.#bytes.mark(first.offset, first.size);
		}
		if (within) {
			this.#tree?.focus();
		}
	}

	// #onward links a finding without bytes to the message in the frame of the finding.
	#onward({ row, frame, time }) {
		return el("p", { class: "onward" }, el("button", {
			type: "button", class: "quiet", onclick: () => messageOf(this.#app, frame, time).then((there) => {
				if (there < 0) {
					this.#app.say("Frame " + frame + " has no message.");
				} else if (this.#app.row === row) {
					this.#app.look(there);
				}
			}).catch((error) => this.#app.complain(error)),
		}, "Go to the message of frame " + frame));
	}

	#showHead(answer) {
		const { name, code, finding, rules, summary, direction, src, dst, time, frame, utc, stream, protocol, length, copy: again } = answer;
		const facts = [
			["time", seconds(time) + " s"], ["frame", frame], ["at", utc.replace("T", " ")], ["stream", stream], ["protocol", protocol],
			["length", finding ? null : counted(length ?? 0, "byte")],
		];
		this.#head.replaceChildren(
			el("div", { class: "first" },
				el("h2", {}, finding ? rules?.[0] ?? "finding" : name ?? code ?? "message"),
				code && name ? el("span", { class: "mono dim", title: "the message's code" }, code) : null,
				el("span", { class: "tools" },
					iconButton("{}", "Copy as JSON", () => this.#copyJSON()),
					iconButton("✎", "Write a note on this message (m)", () => this.#app.tell("write-note")),
					iconButton("✕", "Close (Esc)", () => this.#app.look(-1)))),
			el("p", { class: "summary mono", hidden: !summary || finding }, summary),
			el("p", { class: "ways mono" }, src ?? "", el("span", { class: "dim", title: waysTold[direction] }, " → "), dst ?? "",
				el("span", { class: "dim more" }, " " + [waysTold[direction], again && "already sent to another client"].filter(Boolean).join(", "))),
			el("dl", { class: "facts" }, facts.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([key, value]) =>
				el("div", { class: key === "time" || key === "frame" ? "" : "more" }, el("dt", {}, key), el("dd", { class: "mono" }, value)))));
	}

	#showNote() {
		const text = this.#app.notes.get(this.#app.row);
		this.#note.hidden = !text;
		this.#note.textContent = text ? "✎ " + text : "";
	}

	async #copyJSON() {
		const done = await copy(JSON.stringify(this.#shown, null, "\t"));
		this.#app.say(done ? "The message is on the clipboard, as JSON." : "This browser does not let the page write to the clipboard.");
	}

	#chose(node) {
		if (node.computed || node.size === 0) {
			this.#bytes.mark(0, 0);
			this.#under.textContent = node.name + ": " + (node.computed ? "computed" : "no bytes");
			return;
		}
		this.#bytes.mark(node.offset, node.size);
		const last = node.offset + node.size - 1;
		this.#under.textContent = node.name + ": " + (node.size === 1 ? "byte " + last : "bytes " + node.offset + "–" + last);
	}

	#choseByte(offset) {
		const node = this.#tree?.deepest(offset);
		if (node) {
			this.#tree.choose(node);
			this.#chose(node);
		} else {
			this.#bytes.mark(offset, 1);
			this.#under.textContent = "byte " + offset + ": not in a field";
		}
	}
}

// messageOf returns the row of a message in a frame, or -1. Frames of several files may have the same number.
async function messageOf(app, frame, time) {
	const request = { filter: "frame.number == " + frame, count: 50, ms: 50 };
	for (;;) {
		const { rows, done } = await app.ask("rows", request);
		const there = rows.find((message) => !message.finding && message.time === time);
		if (there || done) {
			return there?.row ?? -1;
		}
	}
}

function bytesTold({ data, data_left: left, captured, length }) {
	if (!data) {
		return "";
	}
	return counted(captured ?? data.length / 2, "byte") + (length > captured ? " of " + length + " are in the capture" : "") +
		(left ? "; the last " + counted(left, "byte") + " not shown" : "");
}
