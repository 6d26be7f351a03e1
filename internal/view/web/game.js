// game.js loads the data of a game: map, paths, players and events.

import { Paths } from "gamedissect/paths";

const mostSteps = 3_000_000; // number of positions kept, about 150 MB
const grain = 50; // if the size of the world is unknown, it is rounded up to a multiple of this
const unmarked = new Set(["chat", "notice"]); // stepping skips events of these kinds

export class Game {
	events = []; // sorted by time
	marked = []; // events at which stepping stops
	paths = new Paths();
	done = false;
	note = "";
	#app;
	#server;
	#world;
	#box = null;
	#lives = new Map();
	#next = 0;
	#size = 0; // size that the server announced

	constructor(app, { server }, worlds) {
		this.#app = app;
		this.#server = server;
		this.#world = worlds.find((world) => world.server === server);
	}

	// load fetches missing data. It continues while the capture is being read, and calls told whenever there is more to
	// show.
	async load(signal, map, told) {
		await this.#happened(signal);
		await this.#ground(signal, map);
		told();
		const app = this.#app;
		while (!this.done) {
			const answer = await app.ask("paths", { server: this.#server, start: this.#next, ms: 25 }, { signal, later: true });
			signal.throwIfAborted();
			this.paths.add(answer);
			this.#next = answer.next;
			this.#size = answer.size ?? this.#size;
			if (this.paths.steps > mostSteps) {
				this.note = "the rest is too long to play back";
				this.done = true;
			}
			if (answer.done && app.state.done) {
				this.done = true;
				await this.#happened(signal); // events that were read in the meantime
			} else if (answer.done) {
				await new Promise((resolve) => app.addEventListener("state", resolve, { once: true, signal }));
			}
			told();
		}
	}

	async #happened(signal) {
		const { events, lives } = await this.#app.ask("timeline", { server: this.#server, count: 50_000 }, { signal });
		this.events = events.sort((a, b) => a.time - b.time);
		this.marked = events.filter(({ event }) => !unmarked.has(event));
		this.#lives.clear();
		for (const { kind, who, from, to } of lives) {
			if (kind === "player") {
				this.#lives.set(who, [...(this.#lives.get(who) ?? []), [from, to]]);
			}
		}
	}

	async #ground(signal, map) {
		const { svg } = this.#world ? await this.#app.ask("world", { world: this.#world.world }, { signal }) : { svg: "" };
		this.#box = await map.ground(svg ?? "").catch(() => null);
		this.note = this.#box ? this.#world.note ?? "" : "this capture has no download of the world";
	}

	// bounds returns the bounds of the map, or of all movements if there is no map.
	bounds() {
		if (this.#box) {
			return this.#box;
		}
		const far = Math.max(...(this.paths.extent ?? [0]).map(Math.abs), this.#size / 2);
		const half = Math.max(Math.ceil(far / grain) * grain, grain);
		return [-half, -half, half, half];
	}

	// here reports whether a player was in the game at a time.
	here(who, time) {
		const lives = this.#lives.get(who);
		if (lives) {
			return lives.some(([from, to]) => from - 0.001 <= time && time <= to);
		}
		const times = this.paths.tracks.get(who)?.times;
		return times?.length > 0 && time >= times.values[0] && time <= times.values[times.length - 1] + 6;
	}

	// span returns the start and the end of the capture.
	span() {
		return [0, Math.max(this.#app.state.seconds, 0.1)];
	}

	// begin returns the time of the first movement.
	begin(from) {
		return Math.max(Number.isFinite(this.paths.span[0]) ? this.paths.span[0] : 0, from);
	}
}
