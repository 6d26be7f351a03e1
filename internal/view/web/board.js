// board.js draws the rows of the time line: lives as bars, with events on them.

import { firstFrom } from "gamedissect/lanes";
import { colours, fitting, sharp } from "gamedissect/paint";
import { ticks } from "gamedissect/scale";
import { drawIcon } from "gamedissect/icons";

export const rowHeight = 26;
export const axisHeight = 26;
const pad = 14; // pixels beyond the visible range, so that icons at the ends are not cut off
const apart = 13; // in pixels; icons of one kind that are nearer become one icon with a number

// Board is the content of the canvas.
export class Board {
	hits = []; // the icons drawn: {x, y, marks, row, kind}
	hovered = null; // an element of hits
	#canvas;
	#times;

	constructor(canvas, times) {
		this.#canvas = canvas;
		this.#times = times;
	}

	// place computes the layout for the available room.
	place(width, height, top) {
		Object.assign(this, { width, height, top, left: Math.round(Math.min(190, width * 0.3)) });
		this.across = Math.max(width - this.left - 2 * pad, 1);
	}

	x(time) {
		const [from, to] = this.#times.sight;
		return this.left + pad + (time - from) / (to - from) * this.across;
	}

	time(x) {
		const [from, to] = this.#times.sight;
		const at = (x - this.left - pad) / this.across;
		return from + Math.max(0, Math.min(1, at)) * (to - from);
	}

	// row returns the row at a height of the canvas.
	row(y) {
		return y < axisHeight ? -1 : Math.floor((y - axisHeight + this.top) / rowHeight);
	}

	// middle returns the height of a row's middle on the canvas.
	middle(row) {
		return axisHeight + (row + 0.5) * rowHeight - this.top;
	}

	at(x, y) {
		let best = null;
		for (const hit of this.hits) {
			const far = Math.hypot(hit.x - x, hit.y - y);
			if (far < 12 && (!best || far < Math.hypot(best.x - x, best.y - y))) {
				best = hit;
			}
		}
		return best;
	}

	draw({ range, playhead }) {
		const c = colours();
		const context = sharp(this.#canvas, this.width, this.height);
		context.font = "12.5px " + c.text;
		context.textBaseline = "middle";
		this.hits = [];
		const { rows } = this.#times.lanes;
		const first = Math.max(0, Math.floor(this.top / rowHeight));
		const last = Math.min(rows.length, Math.ceil((this.top + this.height) / rowHeight));
		const lines = ticks(...this.#times.sight, Math.max(2, this.width / 110), "s");
		for (let i = first; i < last; i++) {
			this.#ground(context, c, rows[i], this.middle(i));
		}
		this.#grid(context, c, lines, rows.length);
		this.#band(context, c, range);
		context.save();
		context.beginPath();
		context.rect(this.left, axisHeight, this.width - this.left, this.height);
		context.clip();
		for (let i = first; i < last; i++) {
			this.#lives(context, c, rows[i], this.middle(i));
		}
		this.#links(context, c);
		for (let i = first; i < last; i++) {
			this.#marks(context, c, rows[i], this.middle(i));
		}
		this.#chosen(context, c);
		context.restore();
		for (let i = first; i < last; i++) {
			this.#name(context, c, rows[i], this.middle(i));
		}
		this.#axis(context, c, lines, playhead);
	}

	#ground(context, c, row, y) {
		if (row.head) {
			context.fillStyle = c.raised;
			context.fillRect(0, y - rowHeight / 2, this.width, rowHeight);
		}
		context.fillStyle = c.line;
		context.globalAlpha = 0.6;
		context.fillRect(0, y + rowHeight / 2 - 1, this.width, 1);
		context.globalAlpha = 1;
	}

	#grid(context, c, lines, rows) {
		const end = Math.min(this.height, axisHeight + rows * rowHeight - this.top);
		context.fillStyle = c.line;
		for (const { at } of lines) {
			context.fillRect(Math.round(this.x(at)), axisHeight, 1, end - axisHeight);
		}
	}

	#band(context, c, range) {
		if (!range) {
			return;
		}
		const [from, to] = range.map((time) => Math.max(this.left, Math.min(this.width, this.x(time))));
		context.globalAlpha = 0.14;
		context.fillStyle = c.accent;
		context.fillRect(from, 0, to - from, this.height);
		context.globalAlpha = 1;
		for (const time of range) {
			const x = Math.round(this.x(time));
			if (x >= this.left) {
				context.fillRect(x, 0, 1, this.height);
			}
		}
	}

	#lives(context, c, row, y) {
		const high = row.head ? 6 : 14;
		for (const life of row.lives) {
			const from = Math.max(this.x(life.from), this.left - 10);
			const to = Math.min(this.x(life.to), this.width + 10);
			if (to < this.left || from > this.width) {
				continue;
			}
			const wide = Math.max(to - from, 2);
			context.fillStyle = row.head ? c.line : c.chosen;
			context.fillRect(from, y - high / 2, wide, high);
			context.fillStyle = row.head ? c.dim : c.accent;
			if (life.began) {
				context.fillRect(from, y - high / 2 - 1, 2, high + 2);
			}
			if (life.ended) {
				context.fillRect(from + wide - 2, y - high / 2 - 1, 2, high + 2);
			}
		}
	}

	#marks(context, c, row, y) {
		const [from, to] = this.#times.sight;
		const margin = (to - from) * 0.02;
		const open = new Map(); // kind -> the icon to which the next mark of that kind may be added
		const list = [];
		const { marks } = row;
		for (let i = firstFrom(marks, from - margin); i < marks.length && marks[i].time <= to + margin; i++) {
			const x = this.x(marks[i].time);
			const last = open.get(marks[i].kind);
			if (last && x - last.x < apart) {
				last.marks.push(marks[i]);
			} else {
				const hit = { x, y, marks: [marks[i]], row, kind: marks[i].kind };
				open.set(hit.kind, hit);
				list.push(hit);
			}
		}
		const taken = [-99, -99, -99]; // position of the latest icon on each level
		const levels = [0, -6, 6];
		for (const hit of list) {
			const level = Math.max(0, taken.findIndex((x) => hit.x - x >= 11));
			taken[level] = hit.x;
			hit.y += levels[level];
			drawIcon(context, hit.kind, hit.x, hit.y, row.head ? c.raised : c.panel);
			if (hit.marks.length > 1) {
				this.#number(context, c, hit);
			}
			this.hits.push(hit);
		}
	}

	#number(context, c, hit) {
		const text = hit.marks.length > 999 ? Math.round(hit.marks.length / 1000) + "k" : String(hit.marks.length);
		context.font = "600 9.5px " + c.text;
		const wide = context.measureText(text).width + 6;
		context.fillStyle = c.ink;
		context.beginPath();
		context.roundRect(hit.x + 2, hit.y - 11, wide, 11, 5);
		context.fill();
		context.fillStyle = c.panel;
		context.fillText(text, hit.x + 5, hit.y - 5);
		context.font = "12.5px " + c.text;
	}

	// #links connects the actor and the target of the selected event.
	#links(context, c) {
		const { chosen, lanes } = this.#times;
		for (const event of [chosen, this.hovered?.marks.length === 1 ? this.hovered.marks[0].event : null]) {
			if (!event?.whom) {
				continue;
			}
			const to = lanes.rows.findIndex((row) => row.who === event.whom && row.server === event.server);
			const from = lanes.rows.indexOf(event.lane);
			if (to >= 0 && from >= 0 && to !== from) {
				context.strokeStyle = c.c1;
				context.lineWidth = 1.5;
				context.beginPath();
				context.moveTo(this.x(event.time), this.middle(from));
				context.lineTo(this.x(event.time), this.middle(to));
				context.stroke();
			}
		}
	}

	#chosen(context, c) {
		const { chosen } = this.#times;
		for (const hit of this.hits) {
			const is = chosen && hit.marks.some(({ event }) => event === chosen);
			if (is || hit === this.hovered) {
				context.strokeStyle = is ? c.accent : c.dim;
				context.lineWidth = is ? 2.5 : 1.5;
				context.beginPath();
				context.arc(hit.x, hit.y, 10.5, 0, 7);
				context.stroke();
			}
		}
	}

	#name(context, c, row, y) {
		context.fillStyle = row.head ? c.raised : c.panel;
		context.fillRect(0, y - rowHeight / 2, this.left - 1, rowHeight - 1);
		context.fillStyle = c.line;
		context.fillRect(this.left - 1, y - rowHeight / 2, 1, rowHeight);
		context.fillStyle = c.ink;
		let x = 10;
		if (row.head && row.many > 0) {
			context.fillText(row.folded ? "▸" : "▾", x, y);
		}
		x += row.head ? 16 : 24;
		context.font = (row.head ? "600 " : "") + "12.5px " + c.text;
		const more = row.head && row.folded ? "  +" + row.many : "";
		const address = /^\S+:\d+\b/.test(row.name); // addresses differ in their last characters
		context.fillText(fitting(context, row.name + more, this.left - x - 8, address), x, y);
		context.font = "12.5px " + c.text;
	}

	#axis(context, c, lines, playhead) {
		context.fillStyle = c.panel;
		context.fillRect(0, 0, this.left, axisHeight);
		context.fillStyle = c.line;
		context.fillRect(0, axisHeight - 1, this.width, 1);
		context.fillStyle = c.dim;
		context.font = "11.5px " + c.text;
		context.textAlign = "center";
		for (const { at, label } of lines) {
			const half = context.measureText(label).width / 2;
			context.fillText(label, Math.max(this.left + half, Math.min(this.width - half - 3, this.x(at))), axisHeight / 2);
		}
		context.textAlign = "left";
		const x = playhead === null ? -1 : Math.round(this.x(playhead));
		if (x >= this.left && x <= this.width) {
			context.fillStyle = c.accent;
			context.fillRect(x, 4, 1, this.height);
			context.beginPath();
			context.moveTo(x - 5, 2);
			context.lineTo(x + 6, 2);
			context.lineTo(x + 0.5, 10);
			context.fill();
		}
	}
}
