// mapview.js shows a game. The pointer, the wheel and keys move and zoom the picture. The tank under the pointer is
// described below the picture.

import { el } from "gamedissect/dom";
import { Camera } from "gamedissect/camera";
import { Backdrop } from "gamedissect/backdrop";
import { drawMoment } from "gamedissect/arena";

const near = 18; // maximum distance of the pointer from a tank, in pixels

// mapView shows moments: moment() returns the arguments of drawMoment except the camera. mapView calls chosen(tank)
// after a click, drawn(tanks) after each drawing, and moved() after the user has moved the picture.
export function mapView({ moment, chosen, drawn, moved }) {
	const canvas = el("canvas", {
		class: "map", tabindex: "0", role: "img", "aria-label": "The game from above. Drag to move, plus and minus to zoom, 0 shows all.",
	});
	const readout = el("p", { class: "readout", "aria-live": "off" });
	const element = el("div", { class: "mapview" }, canvas, readout);
	const camera = new Camera();
	const backdrop = new Backdrop(() => draw());
	let asked = 0;
	let tanks = [];
	let pointed = null;
	let pointer = null; // position of the pointer

	// draw draws in the next frame, and only once, even if it is called several times.
	function draw() {
		asked ||= requestAnimationFrame(now);
	}

	function now() {
		asked = 0;
		const { clientWidth: width, clientHeight: height } = canvas;
		if (width === 0) {
			return;
		}
		const sharp = devicePixelRatio;
		if (canvas.width !== Math.round(width * sharp) || canvas.height !== Math.round(height * sharp)) {
			canvas.width = Math.round(width * sharp);
			canvas.height = Math.round(height * sharp);
			camera.resize(width, height);
		}
		const view = { ...moment(), camera, pointed, pointer };
		const at = view.followed ? view.paths.tracks.get(view.followed)?.at(view.time) : null;
		if (at) {
			camera.centre(at.x, at.y);
		}
		const pen = canvas.getContext("2d");
		pen.setTransform(sharp, 0, 0, sharp, 0, 0);
		pen.clearRect(0, 0, width, height);
		backdrop.draw(pen, camera, getComputedStyle(canvas));
		tanks = drawMoment(pen, view);
		drawn(tanks);
		read();
	}

	// read describes the tank under the pointer.
	function read() {
		const tank = tanks.find(({ who }) => who === pointed);
		readout.textContent = tank
			? tank.who + (tank.team ? ", " + tank.team : "") + (tank.alive ? "" : ", dead") + ": x " + tank.x.toFixed(1) + ", y " +
				tank.y.toFixed(1) + ", z " + tank.z.toFixed(1) + ", " + tank.speed.toFixed(1) + " units/s"
			: "";
	}

	function under(event) {
		const [x, y] = [event.offsetX, event.offsetY];
		const by = tanks.map((tank) => ({ tank, away: Math.hypot(tank.px - x, tank.py - y) })).sort((a, b) => a.away - b.away)[0];
		return by && by.away <= near ? by.tank : null;
	}

	function move() {
		moved();
		draw();
	}

	hands(canvas, camera, {
		move,
		click: (event) => {
			const tank = under(event);
			if (tank) {
				chosen(tank);
			}
		},
		point: (event) => {
			const who = event ? under(event)?.who ?? null : null;
			canvas.style.cursor = who ? "pointer" : "grab";
			pointed = who;
			pointer = event && [event.offsetX, event.offsetY];
			draw();
		},
	});
	new ResizeObserver(draw).observe(canvas);
	addEventListener("theme", draw);
	return {
		element, draw,
		zoom(by) {
			camera.zoom(by);
			draw();
		},
		fit() {
			camera.fit();
			move();
		},
		bound(bounds) {
			camera.bounds = bounds;
			if (camera.fitted) {
				camera.fit();
			}
			draw();
		},
		ground: (svg) => backdrop.show(svg),
	};
}

// hands handles pointers and the wheel on a canvas. One pointer moves the picture, and two pointers zoom it.
function hands(canvas, camera, { move, click, point }) {
	const down = new Map();
	let dragged = 0;
	const apart = () => {
		const [a, b] = [...down.values()];
		return { away: Math.hypot(a.x - b.x, a.y - b.y) || 1, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
	};
	canvas.addEventListener("pointerdown", (event) => {
		canvas.setPointerCapture(event.pointerId);
		down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
		dragged = 0;
	});
	canvas.addEventListener("pointermove", (event) => {
		const was = down.get(event.pointerId);
		if (!was) {
			point(event);
			return;
		}
		const before = down.size === 2 ? apart() : null;
		down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
		dragged += Math.abs(event.offsetX - was.x) + Math.abs(event.offsetY - was.y);
		if (before) {
			const after = apart();
			camera.zoom(after.away / before.away, after.x, after.y);
			camera.pan(after.x - before.x, after.y - before.y);
			move();
		} else if (dragged > 3) {
			camera.pan(event.offsetX - was.x, event.offsetY - was.y);
			move();
		}
	});
	const up = (event) => {
		if (down.delete(event.pointerId) && dragged <= 3 && event.type === "pointerup") {
			click(event);
		}
	};
	canvas.addEventListener("pointerup", up);
	canvas.addEventListener("pointercancel", up);
	canvas.addEventListener("pointerleave", () => point(null));
	canvas.addEventListener("wheel", (event) => {
		event.preventDefault();
		camera.zoom(2 ** (-event.deltaY * (event.deltaMode === 1 ? 20 : 1) / 300), event.offsetX, event.offsetY);
		move();
	}, { passive: false });
}
