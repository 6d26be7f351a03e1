// shell.js is the frame around the views: the name of the capture, the filter, the tabs, the pane of the selected
// message, and the status line.

import { el, iconButton } from "gamedissect/dom";
import { counted, middleCut, size } from "gamedissect/format";
import { filterBar } from "gamedissect/filterbar";
import { detailPane } from "gamedissect/detail";
import { keys } from "gamedissect/keys";
import { actions } from "gamedissect/actions";
import { messages } from "gamedissect/messages";
import { overview } from "gamedissect/overview";
import { sequence } from "gamedissect/sequence";
import { timeline } from "gamedissect/timeline";
import { findings } from "gamedissect/findings";
import { statistics } from "gamedissect/statistics";
import { world } from "gamedissect/world";
import { other } from "gamedissect/other";
import { addGood, compare } from "gamedissect/compare";
import { splitter } from "gamedissect/splitter";

// A view is {name, title, make(app), cannot(app)}. make returns the view's element. The element gets the events "shown"
// and "hidden" when the user opens and leaves the view. A hidden view sends no requests. If the view has nothing to
// show, cannot returns the reason; otherwise it returns "". The view then shows the reason, and the view's tab is
// dimmed.
export const views = [overview, messages, sequence, timeline, findings, statistics, world, other, compare];

const shortestName = 6; // minimum number of letters shown of a file's name

// shell builds the page.
export function shell(app) {
	app.views = views.map(({ name }) => name);
	const go = (view) => app.show(view.name);
	const tabs = tabList(app, go);
	const stage = el("section", { class: "stage", id: "stage" });
	const made = new Map();
	const detail = detailPane(app);
	const filter = filterBar(app);
	const edge = splitter(detail);
	const body = el("main", { class: "body" }, stage, edge, detail);
	document.body.replaceChildren(
		el("header", { class: "top" },
			el("div", { class: "name" }, el("h1", {}, "gamedissect"), fileName(app)),
			tabs, el("div", { class: "tools" }, ...actions(app), themeButton(), iconButton("?", "Help and keys", () => app.tell("help")))),
		progress(app), filter, body, statusLine(app));
	let shown = null;
	app.on("view", () => {
		const view = views.find(({ name }) => name === app.view) ?? views[0];
		shown?.dispatchEvent(new Event("hidden"));
		if (!made.has(view)) {
			made.set(view, el("div", { class: "view " + view.name, role: "tabpanel", id: "view-" + view.name, "aria-label": view.title },
				view.make(app)));
			stage.append(made.get(view));
		}
		shown = made.get(view);
		for (const element of made.values()) {
			element.hidden = element !== shown;
		}
		shown.firstElementChild.dispatchEvent(new Event("shown"));
		shown = shown.firstElementChild;
	});
	app.on("row view", () => {
		edge.hidden = detail.hidden = !beside(app);
		filter.hidden = ofWhole.has(app.view);
	});
	keys(app, views, go);
	drops(app);
}

const ofWhole = new Set(["overview", "other", "compare"]); // views of the whole capture, to which filters do not apply

// beside reports whether the selected message is shown next to the view. Views of the whole capture do not show it. If
// the page selected the message by itself, only lists of messages show it.
function beside({ row, offered, view }) {
	return row >= 0 && !ofWhole.has(view) && (row !== offered || view === "messages" || view === "sequence");
}

// drops opens files that the user drops as good captures, for comparison.
function drops(app) {
	for (const kind of ["dragover", "drop"]) {
		addEventListener(kind, (event) => {
			if (!event.dataTransfer?.types.includes("Files")) {
				return;
			}
			event.preventDefault();
			if (kind === "drop") {
				addGood(app, [...event.dataTransfer.files]).catch((error) => app.complain(error));
			}
		});
	}
}

function tabList(app, go) {
	const tabs = views.map(({ name, title }, i) => el("button", {
		type: "button", role: "tab", id: "tab-" + name, "aria-controls": "view-" + name,
		onclick: () => go(views[i]),
	}, title));
	const list = el("nav", { class: "tabs", role: "tablist", "aria-label": "Views" }, tabs);
	list.addEventListener("keydown", (event) => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (step) {
			const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
			tabs[next].focus();
			go(views[next]);
			event.stopPropagation();
		}
	});
	app.on("view", () => {
		for (const [i, tab] of tabs.entries()) {
			const is = views[i].name === app.view;
			tab.setAttribute("aria-selected", String(is));
			tab.tabIndex = is ? 0 : -1;
			if (is) {
				tab.scrollIntoView({ block: "nearest", inline: "nearest" });
			}
		}
	});
	app.on("state good", () => {
		for (const [i, tab] of tabs.entries()) {
			const reason = views[i].cannot?.(app) ?? "";
			tab.classList.toggle("nothing", reason !== "");
			tab.title = reason || views[i].title + " (" + (i + 1) + ")";
		}
	});
	return list;
}

// fileName shows the name of a file. If the name is too long, it is cut in the middle, because both ends distinguish
// files.
function fileName(app) {
	const { name } = app.state;
	const element = el("span", { class: "file", title: name });
	const fit = () => {
		element.textContent = name;
		for (let room = [...name].length - 1; element.scrollWidth > element.clientWidth && room >= shortestName; room--) {
			element.textContent = middleCut(name, room);
		}
	};
	new ResizeObserver(fit).observe(document.body);
	app.on("view", () => requestAnimationFrame(fit)); // the tab of the current view is wider
	return element;
}

function progress(app) {
	const bar = el("progress", { class: "reading", max: "1", "aria-label": "Reading the capture" });
	app.on("state", () => {
		bar.value = app.state.size ? app.state.read / app.state.size : 1;
		bar.classList.toggle("done", app.state.done);
	});
	return bar;
}

function statusLine(app) {
	const counts = el("span", { class: "counts" });
	const said = el("span", { class: "said", role: "status", "aria-live": "polite" });
	app.on("state", () => {
		const { messages, packets, read, size: all, done, findings, error, left_out } = app.state;
		const found = ["error", "warning", "note"].filter((s) => findings[s]).map((s) => counted(findings[s], s));
		counts.textContent = [
			counted(messages, "message"), counted(packets, "packet"), ...found,
			done ? "" : "reading: " + size(read) + " of " + size(all),
		].filter(Boolean).join(" · ");
		if (done && (error || left_out)) {
			app.say(error || left_out, "error");
		}
	});
	app.addEventListener("say", () => {
		said.textContent = app.said.text;
		said.className = "said " + app.said.kind;
	});
	return el("footer", { class: "status" }, counts, said);
}

function themeButton() {
	const order = ["", "light", "dark"];
	const names = { "": "as the system", light: "light", dark: "dark" };
	const button = iconButton("◐", "", () => set(order[(order.indexOf(now) + 1) % order.length]));
	let now = "";
	const set = (theme) => {
		now = theme;
		document.documentElement.dataset.theme = theme;
		button.title = "Colours: " + names[theme];
		button.setAttribute("aria-label", button.title);
		dispatchEvent(new Event("theme")); // makes canvases draw again
		try {
			localStorage.setItem("gamedissect.theme", theme);
		} catch {
			// A page from disk may not be allowed to store anything.
		}
	};
	let kept = "";
	try {
		kept = localStorage.getItem("gamedissect.theme") ?? "";
	} catch {
		// A page from disk may not be allowed to read anything that is stored.
	}
	set(order.includes(kept) ? kept : "");
	return button;
}
