// world.js plays a game on its map: positions, shots, flags, and events.

import { el, iconButton } from "gamedissect/dom";
import { Clock } from "gamedissect/playback";
import { lastAt } from "gamedissect/column";
import { Game } from "gamedissect/game";
import { mapView } from "gamedissect/mapview";
import { scrubber } from "gamedissect/scrubber";
import { roster } from "gamedissect/roster";
import { feed } from "gamedissect/feed";
import { count } from "gamedissect/format";

export const world = { name: "world", title: "World", make, cannot: ({ state }) => state.done && state.moves === 0 ? why(state) : "" };

function make(app) {
	const root = el("div", { class: "world" });
	let shown = null; // stops the work of the view when it is hidden
	let player = null;

	async function show() {
		const { servers, worlds } = await app.ask("worlds", {}, { signal: shown.signal });
		if (servers.length === 0) {
			root.replaceChildren(nothing(app));
			if (!app.state.done) { // try again after more was read
				app.addEventListener("state", () => start(), { once: true, signal: shown.signal });
			}
			return;
		}
		if (player?.servers !== servers.length) {
			player = { ...table(app, servers, worlds), servers: servers.length };
			root.replaceChildren(player.element);
		}
		await player.run(shown.signal);
	}

	function start() {
		show().catch((error) => app.complain(error));
	}

	root.addEventListener("shown", () => {
		shown = new AbortController();
		addEventListener("keydown", (event) => keys(event, root, player), { signal: shown.signal });
		start();
	});
	root.addEventListener("hidden", () => {
		shown?.abort(new DOMException("hidden", "AbortError"));
		player?.clock.play(false);
	});
	return root;
}

// why explains why there is nothing to play back.
function why({ protocols }) {
	const has = Object.keys(protocols);
	const title = { tribes: "Tribes", iceball: "Iceball", bloodmasters: "Bloodmasters" };
	const others = has.filter((name) => name in title).map((name) => title[name]);
	return has.some((name) => name.startsWith("bzflag"))
		? "No tank moves in the BZFlag messages of this capture."
		: others.length > 0
			? "The messages of " + others.join(" and ") + " are about servers and players, and carry no positions."
			: "This capture has no BZFlag messages.";
}

function nothing(app) {
	return el("div", { class: "empty" },
		el("h2", {}, "No game to play back"),
		el("p", {}, why(app.state)),
		el("p", {}, "This view plays back games of BZFlag 1.07 and 2.4 on their maps."),
		app.state.done ? null : el("p", {}, "The capture is still being read."));
}

// keys handles the view's keys; a focused field or list handles its own.
function keys(event, root, player) {
	const free = event.target === document.body || root.contains(event.target);
	if (!player || !free || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey ||
		event.target.matches("input, select, textarea, [role=tab]")) {
		return;
	}
	const button = event.target.matches("button");
	const does = {
		" ": button ? null : () => player.clock.play(!player.clock.playing),
		ArrowLeft: () => event.shiftKey ? player.clock.go(player.clock.time - 1) : player.controls.step(-1),
		ArrowRight: () => event.shiftKey ? player.clock.go(player.clock.time + 1) : player.controls.step(1),
		"+": () => player.map.zoom(1.5), "=": () => player.map.zoom(1.5), "-": () => player.map.zoom(1 / 1.5), 0: () => player.map.fit(),
		"<": () => player.controls.faster(-1), ">": () => player.controls.faster(1),
	}[event.key];
	if (does) {
		does();
		event.preventDefault();
	}
}

// table returns the map and everything around it: the clock, the players, and the events.
function table(app, servers, worlds) {
	const clock = new Clock();
	const seen = { hidden: new Set(), followed: null, trail: 10 };
	let game = new Game(app, servers[0], worlds);
	let looked = -1; // the message whose time the clock shows

	const people = roster({
		show(who, on) {
			seen.hidden[on ? "delete" : "add"](who);
			map.draw();
		},
		follow,
	});
	const list = feed((event) => {
		clock.go(event.time);
		if (event.row >= 0) {
			looked = event.row;
			app.look(event.row);
		}
	});
	const controls = scrubber(clock, () => game.marked);
	const map = mapView({
		moment: () => ({
			...seen, time: clock.time, paths: game.paths, here: (who, time) => game.here(who, time),
			happened: (from, to) => between(game.events, from, to),
		}),
		drawn: (tanks) => people.tell(tanks),
		chosen(tank) {
			looked = tank.row;
			app.look(tank.row);
		},
		moved: () => follow(null),
	});

	function follow(who) {
		seen.followed = who;
		people.follow(who);
		map.draw();
	}

	const said = el("span", { class: "dim told", role: "status" });
	const bar = tools({ servers, map, seen, said, choose });
	const element = el("div", { class: "table" }, bar, map.element,
		el("aside", { class: "cast", "aria-label": "Players and events" }, people.element, list.element), controls.element);

	clock.addEventListener("time", () => {
		map.draw();
		list.go(clock.time);
	});

	function choose(server) {
		clock.play(false);
		game = new Game(app, server, worlds);
		seen.followed = null;
		seen.hidden.clear();
		run(stopped);
	}

	// range sets the clock's range to the selected time range, or to the whole capture.
	function range() {
		const [from, to] = app.range ?? game.span();
		if (from !== clock.from || to !== clock.to) {
			clock.between(from, to);
		}
	}

	// goTo goes to the time of the selected message if the user selected it in another view.
	async function goTo(signal) {
		if (app.row < 0 || app.row === looked) {
			return;
		}
		looked = app.row;
		const { rows } = await app.ask("rows", { from: app.row, count: 1 }, { signal });
		if (rows.length > 0) {
			clock.play(false);
			clock.go(rows[0].time);
		}
	}

	function refresh() {
		range();
		map.bound(game.bounds());
		people.list([...game.paths.tracks.values()]);
		list.list(game.events);
		list.go(clock.time);
		controls.draw();
		map.draw();
		const { steps, shots, tracks } = game.paths;
		said.textContent = count(steps) + " positions of " + count([...tracks.values()].filter((t) => t.times.length > 0).length) +
			" tanks, " + count(shots.length) + " shots" + (game.done ? "" : " so far") + (game.note ? " · " + game.note : "");
	}

	let stopped = null;
	let began = null; // the game whose start the clock was set to
	async function run(signal) {
		stopped = signal;
		const mine = game;
		app.addEventListener("range", range, { signal });
		app.addEventListener("row", () => goTo(signal).catch((error) => app.complain(error)), { signal });
		try {
			await mine.load(signal, map, () => {
				if (mine === game) {
					refresh();
				}
			});
			if (began !== mine) {
				began = mine;
				clock.go(clock.time > clock.from ? clock.time : mine.begin(clock.from));
			}
			await goTo(signal);
		} catch (error) {
			app.complain(error);
		}
	}

	return { element, clock, controls, map, run };
}

// tools is the bar above the map.
function tools({ servers, map, seen, said, choose }) {
	const server = servers.length === 1
		? el("span", { class: "mono" }, servers[0].server)
		: el("select", { "aria-label": "Server", onchange: () => choose(servers[server.selectedIndex]) },
			servers.map(({ server, protocol }) => el("option", {}, server + " " + protocol)));
	const trail = el("select", {
		"aria-label": "Trails", title: "How much of the tanks' paths is drawn",
		onchange: () => {
			seen.trail = Number(trail.value);
			map.draw();
		},
	}, [["0", "no trails"], ["3", "trails of 3 s"], ["10", "trails of 10 s"], ["60", "trails of 1 min"], ["Infinity", "whole paths"]]
		.map(([value, text]) => el("option", { value, selected: value === "10" }, text)));
	return el("div", { class: "tools" }, server, trail,
		iconButton("−", "Zoom out (-)", () => map.zoom(1 / 1.5)), iconButton("+", "Zoom in (+)", () => map.zoom(1.5)),
		iconButton("▣", "Show all (0)", () => map.fit()), said);
}

// between returns the events in a range of time.
function between(events, from, to) {
	const of = (event) => event.time;
	return events.slice(lastAt(events, events.length, from, of) + 1, lastAt(events, events.length, to, of) + 1);
}
