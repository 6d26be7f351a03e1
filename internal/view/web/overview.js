// overview.js is the first view. It shows what gamedissect FILE prints: the content of the capture, the players, and
// the failures. Each tile links to a view with details.

import { badge, el } from "gamedissect/dom";
import { count, counted, span } from "gamedissect/format";
import { condition } from "gamedissect/participants";
import { sparklines } from "gamedissect/sparks";

export const overview = { name: "overview", title: "Overview", make };

const oftenest = 1500; // milliseconds between refreshes while the capture is being read
const most = 6; // number of lines in a tile

function make(app) {
	const tiles = el("div", { class: "tiles", "aria-busy": "true" }, el("p", { class: "dim" }, "Reading " + app.state.name + " …"));
	let shown = false;
	let last = -Infinity;
	let told = -1;
	async function refresh() {
		const { done, rows, packets } = app.state;
		if (!shown || told === packets || !done && performance.now() - last < oftenest) {
			return;
		}
		last = Infinity;
		const summary = await app.ask("summary");
		const lines = await sparklines(app, summary);
		told = done ? packets : -1;
		last = performance.now();
		await released(tiles);
		const made = rows > 0 ? [capture, outcomes, health, servers, players, lag] : [capture];
		tiles.replaceChildren(...made.map((part) => part(app, summary, lines)), files(summary));
		tiles.setAttribute("aria-busy", String(!done));
		refresh();
	}
	const again = () => refresh().catch((error) => {
		last = -Infinity;
		app.complain(error);
	});
	app.on("state", again);
	tiles.addEventListener("shown", () => {
		shown = true;
		again();
	});
	tiles.addEventListener("hidden", () => {
		shown = false;
	});
	return tiles;
}

// released waits until no pointer is pressed on an element. If a button were replaced under a pressed pointer, the
// click would be lost.
async function released(element) {
	while (element.matches(":active")) {
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

// soFar marks numbers that may change while the rest of the capture is being read.
function soFar({ state }) {
	return state.done ? "" : " so far";
}

// tile returns a heading that links to a view, with a number, a sparkline, and lines.
function tile(app, { name, to, wanted, big, small = "", spark, lines = [], more = 0, rest = [] }) {
	return el("section", { class: "tile", "aria-label": name },
		el("button", { type: "button", class: "way", onclick: () => app.show(to, wanted) },
			el("h2", {}, name), el("span", { class: "big" }, big), el("span", { class: "dim" }, small)),
		spark ?? null,
		lines.length + rest.length > 0 ? el("ul", {}, lines,
			more > 0 ? way(app, to, wanted, el("span", { class: "dim" }, "and " + count(more) + " more")) : null, rest) : null);
}

// way returns a line that links to a target in a view.
function way(app, to, wanted, ...children) {
	return wayTo(() => app.show(to, wanted), ...children);
}

function wayTo(onclick, ...children) {
	return el("li", {}, el("button", { type: "button", class: "way", onclick }, ...children));
}

// between returns filters for the messages between the hosts in some and those in others. The first filter has the
// addresses and ports of some, if the ports are known, but only the addresses of others, which may answer from other
// ports. The second filter has only addresses. Without addresses, between returns no filter.
function between(some, others) {
	const host = (id) => id.slice(0, id.lastIndexOf(":")).replace(/[[\]]/g, "");
	const hosts = (ids) => [...new Set(ids.filter(Boolean).map(host))].map((id) => ({ id, host: id }));
	const both = (...lists) => lists.filter((list) => list.length > 0).map((list) => "(" + list.map(condition).join(" || ") + ")").join(" && ");
	const ends = some.filter((id) => id && !id.endsWith(":0")).map((id) => ({ id, host: host(id) }));
	const exact = ends.length > 0 ? [both(ends, hosts(others))] : [];
	return [...exact, both(hosts(some), hosts(others))].filter((filter) => filter !== "");
}

// read applies the first of several filters that matches a message. It shows the matching messages, beginning at a
// packet.
async function read(app, filters, frame) {
	let filter = "";
	for (filter of filters) {
		const { rows } = await app.whole("rows", { filter, count: 1 });
		if (rows.length > 0) {
			break;
		}
	}
	await app.sift(filter);
	app.show("messages");
	const { rows } = await app.whole("rows", { filter: "(" + filter + ") && frame.number >= " + frame, count: 1 });
	if (rows.length > 0 && app.filter === filter) {
		app.look(rows[0].row);
	}
}

// some returns lines for the first items of a list.
function some(list, line) {
	return { lines: list.slice(0, most).map(line), more: list.length - most };
}

function cells(name, title, ...facts) {
	return [el("span", { class: "of", title }, name), el("span", { class: "facts" }, facts.filter(Boolean).join(" · "))];
}

function capture(app, { first, last, packets, messages, other_packets: others, other }, { messages: line }) {
	const rest = counted(others, "other packet") + (other.length > 0 ? ": " + other.slice(0, 3).map(({ what }) => what).join(", ") : "");
	return tile(app, {
		name: "Capture", to: "messages", big: packets > 0 ? span((Date.parse(last) - Date.parse(first)) / 1000) : "empty", spark: line,
		small: packets > 0 ? first.slice(0, 19).replace("T", " ") + " UTC · " + counted(packets, "packet") : "The capture has no packets.",
		lines: [el("li", {}, counted(messages, "message")), others > 0 ? way(app, "other", {}, rest) : "",
			messages === 0 && packets > 0 ? el("li", {}, "The capture has no game messages. If a game uses an unusual port, name the port with -d.") : ""],
	});
}

// share says how many updates are missing, and what share of all updates that is.
const share = (missing, all) => count(missing) + " of " + counted(all, "update") + " (" + (100 * missing / all).toFixed(1) + " %)";

function health(app, { health: h, failures }, { findings: line }) {
	const told = [failures > 0 && counted(failures, "failure"),
		h.errors > 0 && counted(h.errors, "error"), h.warnings > 0 && counted(h.warnings, "warning")].filter(Boolean);
	const rest = [
		h.gaps > 0 && ["lost", counted(h.bytes_missing, "byte") + " in " + counted(h.gaps, "gap") + " of TCP"],
		h.segments_out_of_order > 0 && ["order", counted(h.segments_out_of_order, "segment") +
			" of TCP out of order: some counts may be too low"],
		h.updates_missing > 0 && ["missing", share(h.updates_missing, h.updates) + " from players, sent over UDP"],
		h.updates_to_players_missing > 0 && ["missing", share(h.updates_to_players_missing, h.updates_to_players) +
			" to players, sent over UDP"],
		h.lists_incomplete > 0 && ["lists", count(h.lists_incomplete) + " of " + count(h.lists) + " not complete"],
	].filter(Boolean);
	return tile(app, {
		name: "Findings", to: "findings", big: told.join(", ") || "no error, no warning" + soFar(app),
		small: h.notes > 0 ? counted(h.notes, "note") : "", spark: line,
		...some(h.findings, (f) => way(app, "findings", { rule: f.rule }, badge(f.severity, count(f.count)), " ",
			...cells(f.title || f.rule, f.example, andMore(f.who, f.senders)))),
		rest: rest.map(([what, text]) => el("li", {}, el("span", { class: "dim" }, what), text)),
	});
}

const andMore = (who, n) => (who ?? "") + (n > 1 ? " and " + count(n - 1) + " more" : "");

const mostAlike = 4; // number of outcomes shown per kind

// outcomes returns the failed attempts by outcome, as in the program's summary, and the servers that left questions
// unanswered. Each line links to the messages of the hosts involved.
function outcomes(app, { health: h, attempts, players: list }) {
	const sum = (all, n) => all.reduce((so, one) => so + n(one), 0);
	const kinds = [];
	for (const a of attempts.filter((one) => one.failed && !(one.kind === "queries" && one.outcome === "unanswered"))) {
		const what = a.kind === "listing" && !a.granted_elsewhere ? "not listed" : a.outcome;
		let kind = kinds.find((one) => one.what === what);
		if (!kind) {
			kind = { what, all: [], n: 0, table: a.kind, text: (one) => one.who.length === 1 ? one.who[0] : "", line: failure,
				messages: ({ kind: of, asker, asked }) => between(asker, asked).slice(of === "listing" ? -1 : 0) }; // a game is listed under another port
			kinds.push(kind);
		}
		kind.all.push(a);
		kind.n += a.count;
	}
	const failed = (outcome, text) => attempts.some((a) => a.failed && a.outcome === outcome && text.startsWith(a.cause));
	kinds.push(
		{
			what: "questions unanswered", all: h.unanswered, n: sum(h.unanswered, (u) => u.unanswered), table: "queries",
			text: (u) => u.server, messages: (u) => between([u.server], []),
			line: (u) => cells(u.answered + u.unanswered > u.asked ? counted(u.unanswered, "question")
				: count(u.answered) + " of " + count(u.asked) + " answered", "", u.server),
		},
		{ // even if a player was removed or refused, a later attempt may have succeeded
			what: "players removed", all: list.filter((p) => p.removed && !failed("removed", p.removed)), table: "players",
			text: (p) => p.name, line: (p) => cells(p.removed, p.removed, p.name), messages: (p) => between([p.address], [p.server]),
		},
		{
			what: "refused before", all: h.refused.filter((r) => !failed("refused", r.reason)), table: "refused",
			text: (r) => r.reason, line: (r) => cells(r.reason, r.reason, andMore(r.who, r.count)),
		});
	return outcomeTile(app, kinds.filter(({ all }) => all.length > 0));
}

// failure describes attempts that failed for the same cause. It shows the cause, the ends, and the number.
function failure(a) {
	const silent = a.outcome === "unanswered" || a.outcome === "unreachable";
	const often = silent && a.tries > 1 ? counted(a.tries, "try", "tries") : a.count > 1 ? counted(a.count, "time") : "";
	const why = [a.granted_elsewhere ? "another master lists it" : "", a.cause, a.detail].filter(Boolean).join(", ");
	return cells(why, why, andMore(a.who[0], a.who.length) + " at " + andMore(a.asked[0], a.asked.length), often);
}

// outcomeTile makes the tile for several kinds of outcomes.
function outcomeTile(app, kinds) {
	if (kinds.length === 0) {
		return "";
	}
	const told = kinds.map(({ what, all, n = all.length }) => count(n) + (kinds.length > 1 ? " " + what : ""));
	const wanted = ({ table }, text) => ({ section: "tables", tables: [table], text });
	const lines = kinds.flatMap((kind) => {
		const { what, all, line, text } = kind;
		const shown = all.length > mostAlike ? mostAlike - 1 : all.length;
		const label = () => kinds.length > 1 ? el("span", { class: "dim" }, what) : null;
		const lead = (one) => {
			const filters = kind.messages?.(one) ?? [];
			filters.length === 0 ? app.show("statistics", wanted(kind, text(one)))
				: read(app, filters, one.first_frame ?? 0).catch((error) => app.complain(error));
		};
		return [...all.slice(0, shown).map((one) => wayTo(() => lead(one), label(), ...line(one))),
			shown < all.length ? way(app, "statistics", wanted(kind), label(),
				el("span", { class: "dim" }, "and " + count(all.length - shown) + " more")) : null];
	});
	const names = kinds.map(({ what }) => what).join(", ");
	return tile(app, {
		name: names[0].toUpperCase() + names.slice(1), to: "statistics", wanted: wanted(kinds[0]), big: told.join(", "), lines,
	});
}

// Tables about servers. The page uses the first one that exists.
const ofServers = { section: "tables", tables: ["servers", "listing", "lists", "list", "queries", "players"] };

function servers(app, { servers: list }, { servers: line }) {
	if (list.length === 0) {
		return "";
	}
	const crowd = (s) => s.master ? (s.games ? "master of " + counted(s.games, "server") : "master")
		: s.players_most === undefined ? "" : (s.players_more ? "at least " : "up to ") +
			(s.players_limit ? count(s.players_most) + "/" + counted(s.players_limit, "player") : counted(s.players_most, "player"));
	const state = (s) => s.not_listed ? "not listed" : s.unanswered ? count(s.unanswered) + " unanswered"
		: s.findings ? counted(s.findings, "finding") : "";
	return tile(app, {
		name: "Servers", to: "statistics", wanted: ofServers, big: count(list.length), spark: line,
		small: [...new Set(list.map(({ protocol }) => protocol))].join(", "),
		...some(list, (s) => way(app, "statistics", { ...ofServers, protocol: s.protocol, text: s.address },
			...cells(s.name || s.address, [s.name, s.address, s.version].filter(Boolean).join("\n"),
				s.name ? s.address : "", s.map, crowd(s), state(s)))),
	});
}

// players lists the players. In some games, a capture shows only the number of players. The tile then shows the
// servers' reports.
function players(app, { players: list, servers: from }, { players: line }) {
	if (list.length === 0) {
		const reported = Math.max(0, ...from.map((s) => s.players_most ?? 0));
		return reported === 0 ? "" : tile(app, {
			name: "Players", to: "statistics", big: "none named" + soFar(app), wanted: ofServers,
			small: (from.length === 1 ? "the server reports" : "servers report") + " up to " + count(reported),
		});
	}
	const versions = new Map();
	for (const { version } of list) {
		version && versions.set(version, (versions.get(version) ?? 0) + 1);
	}
	const of = [...versions].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
		.map(([version, n]) => version + (n < list.length ? " (" + count(n) + ")" : ""));
	const watching = list.filter((p) => p.observer).length;
	const small = [watching > 0 && counted(watching, "observer"), of.length > 0 && "version " + of.join(", ")];
	return tile(app, {
		name: "Players", to: "timeline", big: count(list.length - watching), spark: line, small: small.filter(Boolean).join(", "),
		...some(list, (p) => way(app, "timeline", { server: p.server, who: p.name },
			...cells(p.name, p.address ?? "", p.team, p.score,
				p.lag && "lag " + span(p.lag.median_seconds) + ", worst " + span(p.lag.worst_seconds),
				p.played_seconds > 0 && "played " + span(p.played_seconds),
				from.length > 1 && p.server, p.removed ? "removed" : p.findings ? counted(p.findings, "finding") : ""))),
		rest: line ? [way(app, "statistics", { section: "measures", whats: ["players"], whose: list[0].server }, "players over time")] : [],
	});
}

function lag(app, { health: { lag: times, jitter, answer_times: answers } }, { lag: line }) {
	if (!times && !jitter && !answers) {
		return "";
	}
	const series = (whats, of) => ({ section: "measures", whats, whose: of?.worst_whose });
	const pings = series(["ping", "time to first packet"], answers);
	const of = times ?? answers;
	const wanted = times ? series(["lag"], times) : pings;
	return tile(app, {
		name: times || !answers ? "Lag" : "Answers", to: "statistics", wanted, spark: line,
		big: of ? span(of.worst_seconds) : "not measured" + soFar(app), small: of ? "at worst: " + of.worst_whose : "",
		lines: of ? [way(app, "statistics", wanted, "median " + span(of.median_seconds) + " of " + count(of.count))] : [],
		rest: [jitter && way(app, "statistics", series(["jitter"], jitter), "jitter: median " + span(jitter.median_seconds) +
			", at worst " + span(jitter.worst_seconds) + ": " + jitter.worst_whose),
		times && answers && way(app, "statistics", pings, "answers: median " + span(answers.median_seconds) +
			", at worst " + span(answers.worst_seconds) + ": " + answers.worst_whose)].filter(Boolean),
	});
}

function files({ files: list }) {
	return list.length < 2 ? "" : el("section", { class: "tile", "aria-label": "Files" }, el("h2", {}, counted(list.length, "file")),
		el("ul", {}, list.map((f) => el("li", {}, cells(f.name, f.name, (f.first ?? "").slice(0, 19).replace("T", " "),
			counted(f.packets, "packet"), counted(f.messages, "message"), f.errors > 0 && counted(f.errors, "error"),
			f.warnings > 0 && counted(f.warnings, "warning"))))));
}
