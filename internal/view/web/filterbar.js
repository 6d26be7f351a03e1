// filterbar.js is the filter input and the selected time range.

import { Refused } from "gamedissect/ask";
import { Completion, unitsIn } from "gamedissect/completion";
import { el, iconButton } from "gamedissect/dom";
import { count, counted, span } from "gamedissect/format";
import { matches } from "gamedissect/matches";

// filterBar returns the bar.
export function filterBar(app) {
	matches(app);
	const input = el("input", {
		type: "text", role: "combobox", class: "mono", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
		"aria-label": "Display filter", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "filter-offers",
		"aria-describedby": "filter-wrong", placeholder: "Filter, as in finding.severity >= 1   ( / )",
	});
	const wrong = el("div", { class: "wrong", id: "filter-wrong", role: "alert", hidden: true });
	const completion = new Completion(app, input, () => completion.offer());
	const clear = iconButton("✕", "Remove the filter", () => {
		input.value = "";
		sift();
		input.focus();
	});
	const bar = el("form", { class: "filter", role: "search", "aria-label": "Filter" },
		el("div", { class: "box" }, input, clear, completion.element), rangeChip(app), once(app), matched(app), wrong);

	async function sift() {
		completion.close();
		input.value = input.value.trim();
		const text = input.value;
		try {
			await app.sift(text);
			completion.keep(text);
			complain(null);
		} catch (error) {
			complain(error);
		}
	}

	function complain(error) {
		wrong.hidden = !error;
		input.setAttribute("aria-invalid", String(Boolean(error)));
		wrong.replaceChildren(...(error ? explained(error, input.value, (text) => {
			input.value = text;
			input.focus();
			sift();
		}) : []));
	}

	bar.addEventListener("submit", (event) => {
		event.preventDefault();
		if (app.filter !== "" && input.value.trim() === app.filter) { // the filter has already been applied, so go to its matches
			completion.close();
			document.querySelector(".list .grid")?.focus();
		} else {
			sift();
		}
	});
	input.addEventListener("input", () => {
		complain(null);
		completion.offer();
		clear.hidden = input.value === "";
	});
	input.addEventListener("blur", () => completion.close());
	input.addEventListener("keydown", (event) => {
		if (completion.key(event)) {
			event.preventDefault();
		} else if (event.key === "Escape") {
			input.value = app.filter;
			complain(null);
			document.querySelector(".list .grid")?.focus();
			event.preventDefault();
		}
	});
	app.addEventListener("write-filter", () => {
		if (bar.hidden) {
			app.show("messages");
		}
		input.focus();
		input.select();
	});
	app.on("filter", () => {
		input.value = app.filter;
		clear.hidden = app.filter === "";
		completion.keep(app.filter);
		complain(null);
	});
	return bar;
}

// explained shows which part of a filter is wrong, and possible corrections.
function explained(error, text, mend) {
	if (!(error instanceof Refused) || error.offset === undefined) {
		return [el("p", {}, error.message)];
	}
	const from = unitsIn(text, error.offset);
	const to = Math.max(unitsIn(text, error.offset + (error.size ?? 0)), from);
	const place = text.slice(from, to) || "\u00a0"; // something is missing at the end
	const meant = error.meant.map((name, i) => {
		const whole = error.mended[i];
		return [i > 0 ? " or " : "", whole ? el("button", { type: "button", class: "quiet mono", title: whole, onclick: () => mend(whole) }, name)
			: el("span", { class: "mono" }, name)];
	});
	return [
		el("p", { class: "mono" }, text.slice(0, from), el("mark", {}, place), text.slice(to)),
		el("p", {}, error.message, ...(meant.length > 0 ? [". Did you mean ", ...meant.flat(), "?"] : [])),
	];
}

// once hides messages that the server had already sent to another client.
function once(app) {
	const box = el("input", {
		type: "checkbox", onchange: () => {
			app.once = box.checked;
			app.tell("once");
		},
	});
	return el("label", { class: "once", title: "Hide messages that the server already sent to another client" }, box, " each event once");
}

// matched shows how many rows match, and how many rows have been examined.
function matched(app) {
	const shown = el("span", {});
	const told = el("span", { class: "unseen", role: "status" });
	app.on("matches", () => {
		const { total, examined, done } = app.matches;
		const { rows } = app.state;
		shown.hidden = app.during() === "";
		shown.textContent = counted(total, "match", "matches") + " of " + count(rows) +
			(examined < rows ? " · " + Math.floor(100 * examined / Math.max(rows, 1)) + " % examined" : "");
		if (done && app.during() !== "") {
			told.textContent = counted(total, "match", "matches");
		}
	});
	return el("span", { class: "matched" }, shown, told);
}

// rangeChip shows the selected time range, and has a button to clear it.
function rangeChip(app) {
	const chip = el("span", { class: "chip" });
	app.on("range", () => {
		chip.hidden = !app.range;
		if (app.range) {
			const [from, to] = app.range;
			chip.replaceChildren(el("span", {}, "from " + span(from) + " for " + span(to - from)),
				iconButton("✕", "Remove the time range", () => app.span(null)));
			chip.title = from.toFixed(6) + " s to " + to.toFixed(6) + " s";
		}
	});
	return chip;
}
