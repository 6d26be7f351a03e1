// timeline.js is the view of players, servers and their events over time.

import { el, iconButton } from "gamedissect/dom";
import { count, counted, seconds, span } from "gamedissect/format";
import { Board, axisHeight, rowHeight } from "gamedissect/board";
import { eventList } from "gamedissect/eventlist";
import { gestures } from "gamedissect/gestures";
import { onTheme, soon } from "gamedissect/paint";
import { eventIcon } from "gamedissect/icons";
import { strip } from "gamedissect/strip";
import { Times } from "gamedissect/times";

export const timeline = {
	name: "timeline", title: "Time line", make,
	cannot: ({ state }) => state.done && state.events === 0 ? "This capture has no joins, leaves, kills or chat." : "",
};

function make(app) {
	const times = new Times(app);
	const empty = el("p", { class: "empty", hidden: true });
	const own = el("div", { class: "time-line" }, bar(app, times), strip(app, times), legend(times), empty,
		rows(app, times), eventList(app, times));
	let shown = false;
	let stale = true;
	let last = 0;
	const refresh = () => {
		stale = true;
		if (shown) {
			stale = false;
			const begun = performance.now();
			last = Infinity; // until the duration of a refresh is known
			times.load().then(() => {
				last = performance.now() + 4 * (performance.now() - begun);
			});
		}
	};
	// The picture is updated while the capture is being read, but so rarely that updates do not delay reading.
	app.on("state", () => {
		times.grow();
		if (app.state.done || performance.now() - last > 1500) {
			refresh();
		}
	});
	app.addEventListener("filter", refresh);
	// want selects a player's first event.
	const want = () => {
		const { server, who } = app.wanted;
		const lane = who && times.lanes.rows.find((row) => row.who === who && row.server === server);
		if (lane && shown) {
			app.take();
			requestAnimationFrame(() => times.choose(lane.marks[0]?.event ?? null)); // after the event has been drawn
		}
	};
	times.addEventListener("lanes", () => {
		const none = times.lanes.rows.length === 0;
		empty.hidden = !none;
		empty.textContent = !app.state.done ? "Nothing has happened yet: the capture is being read."
			: "No events: this capture has no joins, leaves, kills or chat.";
		own.classList.toggle("nothing", none);
		want();
	});
	own.addEventListener("shown", () => {
		shown = true;
		if (stale) {
			refresh();
		}
		want();
	});
	own.addEventListener("hidden", () => {
		shown = false;
	});
	return own;
}

function bar(app, times) {
	const sight = el("span", { class: "sight" });
	const chosen = el("span", { class: "range" });
	const clear = el("button", { type: "button", class: "quiet", onclick: () => app.span(null) }, "Clear");
	const only = el("button", { type: "button", class: "quiet", title: "Show only messages in this range", onclick: () => narrow(app) },
		"Add to the filter");
	const into = el("button", { type: "button", class: "quiet", onclick: () => times.see(app.range) }, "Zoom to it");
	const range = el("span", { class: "chosen-range" }, chosen, into, only, clear);
	app.on("range", () => {
		range.hidden = !app.range;
		chosen.textContent = app.range ? "Range " + seconds(app.range[0]) + " – " + seconds(app.range[1]) + " s" : "";
	});
	const told = () => {
		sight.textContent = seconds(times.sight[0]) + " – " + seconds(times.sight[1]) + " s (" + span(times.sight[1] - times.sight[0]) + ")";
	};
	times.addEventListener("sight", told);
	told();
	return el("div", { class: "time-bar", role: "toolbar", "aria-label": "Time line" },
		iconButton("+", "Zoom in (+)", () => times.zoom(0.5)), iconButton("−", "Zoom out (-)", () => times.zoom(2)),
		el("button", { type: "button", class: "quiet", title: "Whole capture (0)", onclick: () => times.see(times.bounds) }, "All"),
		sight, servers(times), range, el("span", { class: "hint dim" }, "Drag to move, Ctrl and wheel to zoom, Shift and drag to select"));
}

// narrow adds the selected range to the filter.
async function narrow(app) {
	const [from, to] = app.range;
	try {
		await app.narrow("frame.time_relative >= " + from.toFixed(6) + " && frame.time_relative <= " + to.toFixed(6));
		app.say("The filter now selects messages from " + seconds(from) + " s to " + seconds(to) + " s.");
	} catch (error) {
		app.complain(error);
	}
}

// servers returns the selection of a server. It is shown only if there are several servers.
function servers(times) {
	const select = el("select", { "aria-label": "Server", hidden: true, onchange: () => times.only(select.value) });
	times.addEventListener("lanes", () => {
		if (times.server !== "") {
			return; // the answer has only the selected server
		}
		const names = times.lanes.rows.filter((row) => row.head && row.server).map((row) => row.server);
		select.hidden = names.length < 2;
		if (select.options.length !== names.length + 1) {
			select.replaceChildren(el("option", { value: "" }, "All " + count(names.length) + " servers"),
				...names.map((name) => el("option", { value: name }, name)));
		}
	});
	return select;
}

// legend explains the icons, and lets the user hide kinds of events.
function legend(times) {
	const list = el("div", { class: "legend", role: "group", "aria-label": "Kinds of events" });
	times.addEventListener("lanes", () => {
		const focused = document.activeElement?.dataset.kind;
		list.replaceChildren(...[...times.lanes.kinds].map(([kind, n]) => el("button", {
			type: "button", class: "kind", "aria-pressed": String(!times.off.has(kind)), "data-kind": kind,
			title: (times.off.has(kind) ? "Show " : "Leave out ") + counted(n, "event") + "; with Shift: only these, or all again",
			onclick: (event) => event.shiftKey ? times.alone(kind) : times.toggle(kind),
		}, eventIcon(kind), kind, el("span", { class: "dim" }, " " + count(n)))));
		if (focused !== undefined && list.isConnected) {
			[...list.children].find((button) => button.dataset.kind === focused)?.focus();
		}
	});
	return list;
}

// rows returns the lanes. Their canvas stays in place while the content scrolls.
function rows(app, times) {
	const canvas = el("canvas", { "aria-hidden": "true" });
	const sheet = el("div", { class: "sheet" }, canvas);
	const said = el("div", { class: "unseen", "aria-live": "polite" });
	const tip = el("div", { class: "tip", role: "tooltip", hidden: true });
	const scroller = el("div", {
		class: "rows", tabindex: "0", role: "application", "aria-roledescription": "time line",
		"aria-label": "Lives and events. The arrow keys go through the events, Enter selects a message, plus and minus zoom.",
	}, sheet);
	const pane = el("section", { class: "lanes" }, scroller, tip, said);
	const board = new Board(canvas, times);
	let band = null; // a range being selected
	let playhead = null;
	const draw = soon(() => {
		sheet.style.height = axisHeight + times.lanes.rows.length * rowHeight + "px";
		pane.style.maxHeight = sheet.offsetHeight + 2 + "px"; // the list of events gets the room that a few lanes do not need
		if (scroller.clientWidth > 0) {
			board.place(scroller.clientWidth, scroller.clientHeight, scroller.scrollTop);
			board.draw({ range: band ?? app.range, playhead });
		}
	});
	const point = (at) => {
		const hit = at ? board.at(at.x, at.y) : null;
		if (hit !== board.hovered) {
			board.hovered = hit;
			draw();
		}
		const row = at && times.lanes.rows[board.row(at.y)];
		show(tip, at && (hit ?? lifeAt(board, row, at)), pane);
		scroller.style.cursor = hit || at?.x < board.left && (row?.head ? row.many > 0 : row?.lives[0]?.kind === "player") ? "pointer"
			: at && at.y < axisHeight ? "col-resize" : "grab";
	};
	gestures({
		scroller, board, times, app, draw, point,
		selecting: (range) => {
			const before = band;
			band = range;
			draw();
			return before;
		},
		said: () => {
			said.textContent = times.chosen ? seconds(times.chosen.time) + " " + times.chosen.event + ": " + times.chosen.text : "no event";
		},
	});
	app.on("row", async () => {
		playhead = app.row < 0 ? null : await timeOf(app, app.row).catch(() => null);
		draw();
	});
	for (const event of ["lanes", "sight", "chosen"]) {
		times.addEventListener(event, draw);
	}
	app.addEventListener("range", draw);
	scroller.addEventListener("scroll", draw);
	onTheme(draw);
	new ResizeObserver(draw).observe(scroller);
	return pane;
}

async function timeOf(app, row) {
	const { rows } = await app.ask("rows", { from: row, count: 1 });
	return rows[0]?.time ?? null;
}

// lifeAt describes the life under the pointer or, if the pointer is on a name, all lives of that player.
function lifeAt(board, row, { x, y }) {
	const time = board.time(x);
	const lives = row?.lives.filter((life) => x < board.left || life.from <= time && life.to >= time) ?? [];
	if (lives.length === 0 || x >= board.left && lives.length > 0 && Math.abs(y - board.middle(board.row(y))) > 8) {
		return null;
	}
	const { from, to, began, ended } = lives[0];
	const text = row.name + (row.head ? "" : " at " + row.server) + ": " + (began ? "from " : "since before ") + seconds(from) +
		(ended ? " to " : ", still there at ") + seconds(to) + " s" +
		(lives.length > 1 ? ", and " + counted(lives.length - 1, "more time") : "");
	return { x, y, life: text };
}

const mostTold = 8;

// show describes an icon in a tooltip next to the icon.
function show(tip, hit, pane) {
	tip.hidden = !hit;
	if (!hit) {
		return;
	}
	const lines = hit.life ? [el("div", {}, hit.life)] : hit.marks.slice(0, mostTold).map(({ event, kind }) => el("div", {},
		el("span", { class: "time" }, seconds(event.time)), eventIcon(kind), event.text));
	const more = (hit.marks?.length ?? 0) - mostTold;
	tip.replaceChildren(...lines, more > 0
		? el("div", { class: "dim" }, counted(more, "more", "more") + ": zoom in to tell them apart") : "");
	const left = Math.max(4, Math.min(hit.x + 12, pane.clientWidth - tip.offsetWidth - 4));
	const below = hit.y + 14 + tip.offsetHeight < pane.clientHeight || hit.y < tip.offsetHeight + 16;
	tip.style.left = left + "px";
	tip.style.top = (below ? hit.y + 14 : Math.max(2, hit.y - tip.offsetHeight - 14)) + "px";
}
