// arena.js draws a moment of a game on its map.

import { colours, letter, teamOfFlag } from "gamedissect/teams";

const tankLong = 6; // in units of the game
const tankWide = 2.8;
const smallest = 15; // shortest length of a tank on the screen, in pixels
const wreckSize = 6; // half the size of a wreck, in pixels
const markLasts = 2.5; // time in seconds for which a mark stays

// drawMoment draws tanks, shots, flags and marks at a time. view is {camera, time, paths, hidden, trail, here,
// happened, followed, pointed, pointer}. It returns the tanks drawn, with their positions on the picture.
export function drawMoment(pen, view) {
	const { camera, time, paths } = view;
	const tanks = [];
	plates = [];
	for (const track of paths.tracks.values()) {
		if (view.hidden.has(track.who) || !view.here(track.who, time)) {
			continue;
		}
		const is = track.at(time);
		if (is) {
			const [px, py] = camera.picture(is.x, is.y);
			tanks.push({ ...is, who: track.who, team: track.team, px, py, track });
			const r = is.alive ? hullLong(camera, is.z) / 2 : wreckSize;
			plates.push({ left: px - r, right: px + r, top: py - r, bottom: py + r });
		}
	}
	trails(pen, view, tanks);
	const carried = flags(pen, view, tanks);
	for (const tank of tanks) {
		if (!tank.alive) {
			wreck(pen, tank);
		}
	}
	shots(pen, view);
	const living = tanks.filter(({ alive }) => alive);
	for (const tank of living) {
		body(pen, view, tank);
	}
	for (const tank of living) {
		tag(pen, view, tank, carried.get(tank.who));
	}
	marks(pen, view);
	return tanks;
}

function trails(pen, { camera, time, trail, paths }, tanks) {
	if (trail <= 0) {
		return;
	}
	pen.lineWidth = 1.5;
	pen.globalAlpha = trail === Infinity ? 0.5 : 0.8;
	for (const { track, team, px, py, alive } of tanks) {
		pen.strokeStyle = colours(team)[0];
		pen.beginPath();
		const [from, to] = trail === Infinity ? paths.span : [time - trail, time];
		for (const piece of track.trail(from, to)) {
			pen.moveTo(...camera.picture(piece[0], piece[1]));
			for (let i = 2; i < piece.length; i += 2) {
				pen.lineTo(...camera.picture(piece[i], piece[i + 1]));
			}
		}
		if (alive && trail !== Infinity) {
			pen.lineTo(px, py);
		}
		pen.stroke();
	}
	pen.globalAlpha = 1;
}

// body draws a tank: a hull, and a gun that points in the direction of view. The higher the tank is, the farther its
// shadow falls.
function body(pen, { camera, followed, pointed }, tank) {
	const long = hullLong(camera, tank.z);
	const wide = long * tankWide / tankLong;
	const [fill, ink] = colours(tank.team);
	const shape = (dx, dy) => {
		pen.save();
		pen.translate(tank.px + dx, tank.py + dy);
		pen.rotate(-tank.angle);
		pen.beginPath();
		pen.moveTo(-long / 2, -wide / 2);
		pen.lineTo(long * 0.28, -wide / 2);
		pen.lineTo(long / 2, 0);
		pen.lineTo(long * 0.28, wide / 2);
		pen.lineTo(-long / 2, wide / 2);
		pen.closePath();
	};
	if (tank.z > 0.5) {
		const off = Math.min(2 + tank.z * 0.4, 24);
		shape(off, off);
		pen.fillStyle = "rgb(0 0 0 / 0.3)";
		pen.fill();
		pen.restore();
	}
	shape(0, 0);
	pen.fillStyle = fill;
	pen.fill();
	pen.lineWidth = tank.who === followed || tank.who === pointed ? 3 : 1.5;
	pen.strokeStyle = "#ffffff";
	pen.stroke();
	pen.lineWidth = 0.75;
	pen.strokeStyle = "#1d1c1a";
	pen.stroke();
	pen.beginPath();
	pen.moveTo(0, 0);
	pen.lineTo(long * 0.62, 0);
	pen.lineWidth = Math.max(wide / 6, 1.5);
	pen.strokeStyle = ink;
	pen.stroke();
	pen.restore();
}

// hullLong returns the length of a tank on the picture. A tank at a greater height is nearer to the viewer, so it is
// longer.
function hullLong(camera, z) {
	return Math.max(tankLong * camera.scale, smallest) * (1 + Math.min(Math.max(z, 0), 60) / 120);
}

// tag writes a tank's name and state.
function tag(pen, { camera }, tank, flag) {
	const words = [letter(tank.team) + " " + tank.who];
	if (tank.z > 0.5) {
		words.push("↑" + tank.z.toFixed(0));
	}
	if (tank.paused) {
		words.push("‖");
	}
	if (flag) {
		words.push("⚑ " + flag);
	}
	write(pen, words.join("  "), tank.px, tank.py - hullLong(camera, tank.z) / 2 - 2, "#ffffff", "rgb(20 20 20 / 0.72)",
		colours(tank.team)[0]);
}

function wreck(pen, tank) {
	const r = wreckSize;
	for (const [width, colour] of [[5, "#ffffff"], [2.5, colours(tank.team)[0]]]) {
		pen.lineWidth = width;
		pen.strokeStyle = colour;
		pen.beginPath();
		pen.moveTo(tank.px - r, tank.py - r);
		pen.lineTo(tank.px + r, tank.py + r);
		pen.moveTo(tank.px + r, tank.py - r);
		pen.lineTo(tank.px - r, tank.py + r);
		pen.stroke();
	}
	write(pen, tank.who + "  dead", tank.px, tank.py - r - 6, "#ffffff", "rgb(20 20 20 / 0.5)");
}

const tagHigh = 15; // pixels

let plates = []; // rectangles that tanks and texts occupy

// write draws a line of text on a plate. The plate is at a free place above the given one or, if there is no room
// above, below it. If an edge colour is given, the plate's left edge has that colour.
function write(pen, text, x, y, ink, plate, edge) {
	pen.font = "600 11px system-ui, sans-serif";
	pen.textBaseline = "bottom";
	const shown = text.length > 40 ? text.slice(0, 39) + "…" : text;
	const width = pen.measureText(shown).width + 8;
	const left = Math.max(Math.min(x - width / 2, pen.canvas.clientWidth - width), 3);
	y = freePlace(plates, left - 3, left + width, y);
	plates.push({ left: left - 3, right: left + width, top: y - tagHigh, bottom: y });
	pen.fillStyle = plate;
	pen.fillRect(left, y - tagHigh, width, tagHigh);
	if (edge) {
		pen.fillStyle = edge;
		pen.fillRect(left - 3, y - tagHigh, 3, tagHigh);
	}
	pen.fillStyle = ink;
	pen.fillText(shown, left + 4, y - 1);
}

// freePlace returns the lower edge of a text between two sides, so that the text covers no plate: the nearest such edge
// above y or, if that one is outside the picture, the nearest one below y.
export function freePlace(plates, left, right, y) {
	const over = (bottom) => plates.find((p) => left < p.right && right > p.left && bottom > p.top && bottom - tagHigh < p.bottom);
	let above = y;
	for (let p; (p = over(above));) {
		above = p.top - 1;
	}
	if (above >= tagHigh) {
		return above;
	}
	let below = Math.max(y, tagHigh);
	for (let p; (p = over(below));) {
		below = p.bottom + tagHigh + 1;
	}
	return below;
}

function shots(pen, { camera, time, paths, hidden }) {
	for (const shot of paths.flying(time)) {
		if (hidden.has(shot.who)) {
			continue;
		}
		const [px, py] = camera.picture(shot.x, shot.y);
		const speed = Math.hypot(shot.vx, shot.vy) || 1;
		const flown = Math.hypot(shot.x - shot.from[0], shot.y - shot.from[1]);
		const tail = Math.min(flown, Math.max(speed * 0.08, 10 / camera.scale));
		const back = camera.picture(shot.x - shot.vx / speed * tail, shot.y - shot.vy / speed * tail);
		for (const [width, colour] of [[5, "#ffffff"], [2.5, colours(paths.track(shot.who).team)[0]]]) {
			pen.lineWidth = width;
			pen.lineCap = "round";
			pen.strokeStyle = colour;
			pen.beginPath();
			pen.moveTo(...back);
			pen.lineTo(px, py);
			pen.stroke();
		}
		pen.lineCap = "butt";
	}
}

// flags draws the flags that nobody carries. It returns the names of the carried flags by player.
function flags(pen, { camera, time, paths, pointer }, tanks) {
	const carried = new Map();
	for (const flag of paths.standing(time)) {
		if (flag.status === "OnTank") {
			carried.set(flag.who, flag.name);
			continue;
		}
		const [px, py] = camera.picture(flag.x, flag.y);
		const fill = colours(teamOfFlag(flag.name))[0];
		pen.globalAlpha = flag.status === "OnGround" ? 1 : 0.55;
		pen.fillStyle = "#ffffff";
		pen.fillRect(px - 1.5, py - 17, 3, 18);
		pen.fillStyle = "#1d1c1a";
		pen.fillRect(px - 0.5, py - 16, 1, 17);
		pen.beginPath();
		pen.moveTo(px + 1, py - 16);
		pen.lineTo(px + 12, py - 12);
		pen.lineTo(px + 1, py - 8);
		pen.closePath();
		pen.fillStyle = fill;
		pen.strokeStyle = "#ffffff";
		pen.lineWidth = 1.5;
		pen.stroke();
		pen.fill();
		if (!camera.fitted && camera.scale > 1.2 || pointer && Math.hypot(px + 5 - pointer[0], py - 8 - pointer[1]) < 20) {
			write(pen, flag.name, px, py + 17, "#ffffff", "rgb(20 20 20 / 0.6)");
		}
		pen.globalAlpha = 1;
	}
	return carried;
}

// marks draws rings around kills and flag captures. The rings grow and fade.
function marks(pen, { camera, time, paths, happened }) {
	for (const event of happened(time - markLasts, time)) {
		const who = event.event === "kill" ? event.whom : event.event === "capture" ? event.who : null;
		const is = who ? paths.tracks.get(who)?.at(event.time) : null;
		if (!is) {
			continue;
		}
		const part = (time - event.time) / markLasts;
		const [px, py] = camera.picture(is.x, is.y);
		pen.globalAlpha = 1 - part;
		pen.lineWidth = 3;
		pen.strokeStyle = event.event === "kill" ? "#e2401b" : "#f0b400";
		pen.beginPath();
		pen.arc(px, py, 8 + 30 * part, 0, 2 * Math.PI);
		pen.stroke();
		write(pen, event.text, px, py + 34, "#ffffff", "rgb(20 20 20 / 0.8)");
		pen.globalAlpha = 1;
	}
}
