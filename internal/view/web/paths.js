// paths.js computes where tanks, shots and flags are at any time. It uses the answers to the operation "paths".

import { Column, lastAt } from "gamedissect/column";

const longestGap = 6; // maximum time in seconds for which a tank's motion is extrapolated
const jump = 25; // in units; if a position is farther from the predicted position, the tank has jumped
const hop = 4; // the same limit near a teleporter
const fastest = 50; // maximum speed of a tank in units per second, with any flag
const gravity = -9.8;
const bits = { alive: 1, paused: 2, teleporting: 8, falling: 64 };
const usualLife = 3.5; // lifetime in seconds of a shot that does not report it
const longestLife = 20;

// Track is the path of one tank.
class Track {
	constructor(who) {
		this.who = who;
		this.team = "";
		this.deaths = [];
		this.times = new Column(Float64Array);
		this.rows = new Column(Float64Array);
		for (const name of ["x", "y", "z", "vx", "vy", "vz", "angle", "spin", "status"]) {
			this[name] = new Column(Float32Array);
		}
	}

	add(part) {
		for (const name of ["times", "rows", "x", "y", "z", "vx", "vy", "vz", "angle", "spin", "status"]) {
			this[name].add(part[name]);
		}
	}

	// at returns the tank's state at a time. Before the tank's first position, it returns null.
	at(time) {
		const i = lastAt(this.times.values, this.times.length, time);
		if (i < 0) {
			return null;
		}
		const death = this.#death(i, time);
		if (death !== null) { // a dead tank stays where it died, even if updates about its wreck follow
			const last = lastAt(this.times.values, this.times.length, death);
			const place = last < 0 ? this.#reckon(i, 0) : this.#reckon(last, Math.min(death - this.times.values[last], longestGap));
			return { ...place, row: this.rows.values[i], alive: false, paused: false, speed: 0 };
		}
		const age = time - this.times.values[i];
		const is = { ...this.#reckon(i, Math.min(age, longestGap)), row: this.rows.values[i] };
		this.#lead(is, i, age);
		is.alive = this.#lives(i);
		is.paused = (this.status.values[i] & bits.paused) !== 0;
		is.speed = is.alive ? Math.hypot(this.vx.values[i], this.vy.values[i]) : 0;
		return is;
	}

	#lives(i) {
		return (this.status.values[i] & bits.alive) !== 0;
	}

	// death returns the time of the tank's death, or null if it has spawned again since.
	#death(i, time) {
		const death = this.deaths[lastAt(this.deaths, this.deaths.length, time)];
		if (death === undefined) {
			return null;
		}
		for (; i >= 0 && this.times.values[i] > death; i--) {
			if (this.#lives(i)) {
				return null;
			}
		}
		return death;
	}

	// #reckon extrapolates an update as the game does: in a straight line or, if the tank is turning, in a circle.
	#reckon(i, t) {
		const [vx, vy, spin] = [this.vx.values[i], this.vy.values[i], this.spin.values[i]];
		const falls = (this.status.values[i] & bits.falling) !== 0;
		let [dx, dy] = [vx * t, vy * t];
		if (!falls && Math.abs(spin) > 1e-3) {
			const [sin, cos] = [Math.sin(spin * t), 1 - Math.cos(spin * t)];
			[dx, dy] = [(vx * sin - vy * cos) / spin, (vx * cos + vy * sin) / spin];
		}
		const z = this.z.values[i] + this.vz.values[i] * t + (falls ? gravity * t * t / 2 : 0);
		return {
			x: this.x.values[i] + dx, y: this.y.values[i] + dy, z: falls ? Math.max(z, 0) : z,
			angle: this.angle.values[i] + spin * t,
		};
	}

	// #lead bends a predicted path towards the next update, unless the tank jumps to that update.
	#lead(is, i, age) {
		const next = i + 1;
		const gap = next < this.times.length ? this.times.values[next] - this.times.values[i] : Infinity;
		if (gap > longestGap || gap <= 0 || this.#lives(next) !== this.#lives(i)) {
			return;
		}
		const then = this.#reckon(i, gap);
		const [x, y, z] = [this.x.values[next] - then.x, this.y.values[next] - then.y, this.z.values[next] - then.z];
		const teleports = (this.status.values[next] | this.status.values[i]) & bits.teleporting;
		if (Math.hypot(x, y, z) > (teleports ? hop : jump)) {
			return;
		}
		const part = age / gap;
		is.x += x * part;
		is.y += y * part;
		is.z += z * part;
		const turn = this.angle.values[next] - then.angle;
		is.angle += Math.atan2(Math.sin(turn), Math.cos(turn)) * part;
	}

	// trail returns the tank's path between two times, as pieces without jumps. The number of points is limited.
	trail(from, to, most = 2000) {
		const first = Math.max(lastAt(this.times.values, this.times.length, from), 0);
		const last = lastAt(this.times.values, this.times.length, to);
		const step = Math.max(1, Math.ceil((last - first) / most));
		const pieces = [];
		let piece = null;
		for (let i = first; i <= last; i += step) {
			const before = Math.max(i - step, 0);
			const far = Math.hypot(this.x.values[i] - this.x.values[before], this.y.values[i] - this.y.values[before]);
			if (!this.#lives(i) || !piece || far > 2 * hop + fastest * (this.times.values[i] - this.times.values[before])) {
				pieces.push(piece = []);
			}
			piece.push(this.x.values[i], this.y.values[i]);
		}
		return pieces;
	}
}

// Paths has all movement on a server.
export class Paths {
	tracks = new Map(); // who -> Track
	shots = []; // sorted by time
	flags = new Map(); // number -> states, sorted by time
	span = [Infinity, -Infinity];
	extent = null; // [least x, y, greatest x, y]
	wall = Infinity; // distance of the walls from the middle
	steps = 0;
	#flying = new Map();

	track(who) {
		let track = this.tracks.get(who);
		if (!track) {
			this.tracks.set(who, track = new Track(who));
		}
		return track;
	}

	// add adds an answer to the operation "paths".
	add(answer) {
		if (answer.size > 0) {
			this.wall = answer.size / 2;
		}
		for (const part of answer.tanks) {
			this.track(part.who).add(part);
			this.steps += part.times.length;
			this.#reach(part.times[0]);
			this.#reach(part.times.at(-1));
			part.x.forEach((x, i) => this.#cover(x, part.y[i]));
		}
		for (const shot of answer.shots) {
			this.#shot(shot);
		}
		for (const { who, shot, time } of answer.ends) {
			const flying = this.#flying.get(who + "\n" + shot);
			if (flying && time < flying.end) {
				flying.end = time;
			}
		}
		for (const { who, time } of answer.deaths) {
			this.track(who).deaths.push(time);
		}
		for (const flag of answer.flags) {
			if (!this.flags.has(flag.flag)) {
				this.flags.set(flag.flag, []);
			}
			this.flags.get(flag.flag).push(flag);
		}
		for (const { who, team } of answer.players) {
			this.track(who).team = team ?? "";
		}
	}

	#shot(shot) {
		const key = shot.who + "\n" + shot.shot;
		const before = this.#flying.get(key);
		const life = Math.min(shot.lifetime || usualLife, longestLife);
		let end = shot.time + life;
		if (before && shot.lifetime === undefined && before.end > shot.time) { // a guided missile turned
			end = Math.min(before.last, shot.time + longestLife);
			before.end = shot.time;
		}
		const flying = { ...shot, end, last: end };
		this.#flying.set(key, flying);
		this.shots.push(flying);
		this.#reach(shot.time);
	}

	#reach(time) {
		this.span[0] = Math.min(this.span[0], time);
		this.span[1] = Math.max(this.span[1], time);
	}

	#cover(x, y) {
		const e = this.extent ??= [x, y, x, y];
		[e[0], e[1], e[2], e[3]] = [Math.min(e[0], x), Math.min(e[1], y), Math.max(e[2], x), Math.max(e[3], y)];
	}

	// inside reports whether a place is within the walls.
	#inside(x, y) {
		return Math.max(Math.abs(x), Math.abs(y)) <= this.wall;
	}

	// flying returns the shots in flight, with their positions and origins. A shot that was fired inside the walls
	// disappears at the walls.
	flying(time) {
		const list = [];
		for (let i = lastAt(this.shots, this.shots.length, time, (shot) => shot.time); i >= 0; i--) {
			const s = this.shots[i];
			if (s.time < time - longestLife) {
				break;
			}
			if (s.end > time) {
				const t = time - s.time;
				const [x, y] = [s.x + s.vx * t, s.y + s.vy * t];
				if (this.#inside(x, y) || !this.#inside(s.x, s.y)) {
					list.push({ who: s.who, row: s.row, from: [s.x, s.y], x, y, z: s.z + s.vz * t, vx: s.vx, vy: s.vy });
				}
			}
		}
		return list;
	}

	// standing returns the states of the flags.
	standing(time) {
		const list = [];
		for (const all of this.flags.values()) {
			const flag = all[lastAt(all, all.length, time, (state) => state.time)];
			if (flag && flag.status !== "NoExist") {
				list.push(flag);
			}
		}
		return list;
	}
}
