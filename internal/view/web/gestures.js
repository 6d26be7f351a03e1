// gestures.js handles the pointers, the wheel and keys on the time line.

import { axisHeight, rowHeight } from "gamedissect/board";
import { look } from "gamedissect/eventlist";

// gestures listens to events of the scrolling pane. pane has {scroller, board, times, app, draw, point}.
export function gestures(pane) {
	pointers(pane);
	wheel(pane);
	keys(pane);
}

function pointers({ scroller, board, times, app, draw, point, selecting }) {
	const down = new Map(); // pressed pointers: {x, y}
	let drag = null;
	const place = (event) => {
		const box = scroller.getBoundingClientRect();
		return { x: event.clientX - box.left, y: event.clientY - box.top };
	};
	scroller.addEventListener("pointerdown", (event) => {
		const at = place(event);
		if (event.button !== 0 || at.x > scroller.clientWidth) {
			return;
		}
		down.set(event.pointerId, at);
		const selects = at.x >= board.left && (event.shiftKey || at.y < axisHeight);
		drag = { start: at, last: at, moved: false, from: selects ? board.time(at.x) : null };
		scroller.setPointerCapture(event.pointerId);
	});
	scroller.addEventListener("pointermove", (event) => {
		const at = place(event);
		if (!down.has(event.pointerId)) {
			point(at);
			return;
		}
		if (down.size === 2) {
			pinch(down, event.pointerId, at, board, times);
			drag.moved = true;
			return;
		}
		drag.moved ||= Math.hypot(at.x - drag.start.x, at.y - drag.start.y) > 4;
		if (drag.moved && drag.from !== null) {
			selecting([drag.from, board.time(at.x)].sort((a, b) => a - b));
		} else if (drag.moved) {
			times.pan((drag.last.x - at.x) * perPixel(board, times));
			scroller.scrollTop -= at.y - drag.last.y;
			point(null);
		}
		down.set(event.pointerId, at);
		drag.last = at;
	});
	const up = (event) => {
		if (!down.delete(event.pointerId) || !drag) {
			return;
		}
		if (drag.from !== null && drag.moved) {
			app.span(selecting(null));
		} else if (!drag.moved) {
			click(place(event), { board, times, app });
		}
		if (down.size === 0) {
			drag = null;
		}
		draw();
	};
	scroller.addEventListener("pointerup", up);
	scroller.addEventListener("pointercancel", (event) => {
		down.delete(event.pointerId);
		selecting(null);
		drag = null;
		draw();
	});
	scroller.addEventListener("pointerleave", () => point(null));
	scroller.addEventListener("dblclick", (event) => {
		const at = place(event);
		if (at.x >= board.left) {
			times.zoom(event.shiftKey ? 2.5 : 0.4, board.time(at.x));
		}
	});
}

const perPixel = (board, times) => (times.sight[1] - times.sight[0]) / board.across;

function pinch(down, id, at, board, times) {
	const [a, b] = [...down.values()];
	const before = Math.abs(a.x - b.x);
	const middle = board.time((a.x + b.x) / 2);
	down.set(id, at);
	const [c, d] = [...down.values()];
	times.zoom(Math.max(before, 10) / Math.max(Math.abs(c.x - d.x), 10), middle);
	times.pan(-((c.x + d.x) - (a.x + b.x)) / 2 * perPixel(board, times));
}

function click(at, { board, times, app }) {
	const hit = board.at(at.x, at.y);
	const row = times.lanes.rows[board.row(at.y)];
	if (hit) {
		const { event } = hit.marks.find((mark) => mark.event === times.chosen) ?? hit.marks[0];
		times.choose(event);
		look(app, event);
	} else if (at.x < board.left && row?.head && row.many > 0) {
		times.fold(row.server);
	} else if (at.x < board.left && row?.lives[0]?.kind === "player") {
		concerning(app, row).catch((error) => app.complain(error));
	}
}

// concerning applies a filter for the messages that concern a player.
async function concerning(app, { who, lives: [{ protocol }] }) {
	await app.sift(protocol + " && who == " + JSON.stringify(who.replace(/^\d+ /, "")));
	app.say("The filter selects messages that concern " + who + ".");
}

function wheel({ scroller, board, times }) {
	scroller.addEventListener("wheel", (event) => {
		const lines = event.deltaMode === 1 ? 16 : 1;
		if (event.ctrlKey || event.metaKey) {
			const x = event.clientX - scroller.getBoundingClientRect().left;
			times.zoom(Math.exp(Math.max(-100, Math.min(100, event.deltaY * lines)) * 0.006), board.time(x));
		} else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
			times.pan((event.deltaX || event.deltaY) * lines * perPixel(board, times));
		} else {
			return;
		}
		event.preventDefault();
	}, { passive: false });
}

function keys({ scroller, board, times, app, said }) {
	scroller.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey) {
			return;
		}
		const width = times.sight[1] - times.sight[0];
		const time = times.chosen?.time;
		const around = time >= times.sight[0] && time <= times.sight[1] ? time : undefined;
		const page = Math.max(1, Math.floor(scroller.clientHeight / rowHeight) - 2) * rowHeight;
		const act = event.shiftKey && event.key.startsWith("Arrow") ? {
			ArrowRight: () => times.pan(width / 5), ArrowLeft: () => times.pan(-width / 5),
		}[event.key] : {
			ArrowRight: () => times.step(1), ArrowLeft: () => times.step(-1), ArrowDown: () => times.leap(1), ArrowUp: () => times.leap(-1),
			Home: () => times.step(-Infinity), End: () => times.step(Infinity),
			PageDown: () => scroller.scrollBy(0, page), PageUp: () => scroller.scrollBy(0, -page),
			"+": () => times.zoom(0.5, around), "=": () => times.zoom(0.5, around),
			"-": () => times.zoom(2, around), 0: () => times.see(times.bounds),
			Enter: () => times.chosen && look(app, times.chosen),
		}[event.key];
		if (act) {
			act();
			said(event.key);
			event.preventDefault();
			event.stopPropagation();
		}
	});
	times.addEventListener("chosen", () => {
		const row = times.lanes.rows.indexOf(times.chosen?.lane);
		if (row < 0) {
			return;
		}
		const y = board.middle(row);
		if (y < axisHeight + rowHeight / 2 || y > scroller.clientHeight - rowHeight / 2) {
			scroller.scrollTop = Math.max(0, row * rowHeight - scroller.clientHeight / 2 + axisHeight);
		}
	});
}
