// chart.js draws a chart of values over time. The chart's legend hides lines. The chart shows the values at the
// pointer, and lets the user select a range.

import { download, el, svg } from "gamedissect/dom";
import { count, number, quantity, seconds } from "gamedissect/format";
import { colours, onTheme, soon, strokeOf } from "gamedissect/paint";
import { CanvasPen, SVGPen } from "gamedissect/pen";
import { Frame, extent, logarithmic, nearest, plot } from "gamedissect/plotting";
import { wide } from "gamedissect/scale";

const height = 320;

// Chart shows lines {name, times, values, rows, style, count, min, mean, max}. It calls look(line, index) when the user
// clicks a value.
export class Chart {
	element;
	#app;
	#canvas = el("canvas", { "aria-hidden": "true" });
	#area;
	#tip = el("div", { class: "tip", hidden: true });
	#said = el("div", { class: "unseen", "aria-live": "polite" });
	#legend = el("div", { class: "figure-legend" });
	#empty = el("p", { class: "empty" });
	#off = new Set(); // names of hidden lines
	#what = { lines: [], unit: "", title: "" };
	#band = null;
	#cursor = null; // {time, line, index}
	#look;
	#draw = soon(() => this.#paint());

	constructor(app, { look }) {
		this.#app = app;
		this.#look = look;
		this.#area = el("div", { class: "plot", tabindex: "0", role: "img" }, this.#canvas, this.#tip);
		this.element = el("figure", { class: "figure" },
			el("figcaption", {}, el("h2", {}), el("span", { class: "downloads" },
				el("button", { type: "button", class: "quiet", onclick: () => this.#save("svg") }, "SVG"),
				el("button", { type: "button", class: "quiet", onclick: () => this.#save("png") }, "PNG"))),
			this.#area, this.#empty, this.#legend, this.#said);
		app.addEventListener("range", this.#draw);
		onTheme(this.#draw);
		new ResizeObserver(this.#draw).observe(this.#area);
		this.#pointers();
		this.#keys();
	}

	// set replaces the lines. what is {title, lines, unit, stacked, axis, empty, span}.
	set(what) {
		this.#what = what;
		this.#cursor = null;
		this.#tip.hidden = true;
		this.element.querySelector("h2").textContent = what.title;
		const none = what.lines.length === 0;
		this.#empty.textContent = none ? what.empty ?? "There are no values." : "";
		this.#empty.hidden = !none;
		this.#area.hidden = none;
		this.element.querySelector(".downloads").hidden = none;
		this.#tell();
		this.#draw();
	}

	#shown() {
		return this.#what.lines.filter(({ name }) => !this.#off.has(name));
	}

	#frame() {
		const span = wide(...(this.#what.span ?? [0, this.#app.state.seconds]));
		const log = logarithmic(this.#shown(), span, this.#what.unit);
		return new Frame(this.#area.clientWidth, height, span, log ?? extent(this.#shown(), span, this.#what.stacked), log !== null);
	}

	#paint() {
		if (this.#area.clientWidth === 0 || this.#area.hidden) {
			return;
		}
		const frame = this.frame = this.#frame();
		const pen = new CanvasPen(this.#canvas, frame.width, height, colours().text);
		plot(pen, frame, { ...this.#what, lines: this.#shown(), range: this.#band ?? this.#app.range });
		if (this.#cursor) {
			const { time, line, index } = this.#cursor;
			pen.rect(Math.round(frame.x(time)), frame.top, 1, frame.down, colours().ink, 0.5);
			if (line && !this.#what.stacked) {
				pen.dot(frame.x(line.times[index]), frame.y(line.values[index]), 5, colours().ink);
				pen.dot(frame.x(line.times[index]), frame.y(line.values[index]), 3, strokeOf(line.style).colour);
			}
		}
	}

	// #tell writes the legend, a table of the chart's content, which is also for screen readers.
	#tell() {
		const { lines, unit, title, counts } = this.#what;
		this.#area.setAttribute("aria-label", title + ". " + lines.slice(0, 12).map(({ name, count: n, min, mean, max }) =>
			(name || "values") + ": " + n + (min === undefined ? "" : ", from " + quantity(min, unit) + " to " + quantity(max, unit) +
				(mean === undefined ? "" : ", mean " + quantity(mean, unit)))).join("; "));
		const means = lines.some(({ mean }) => mean !== undefined);
		const heads = counts ? ["total", "max per interval"] : ["count", "min", ...means ? ["mean"] : [], "max"];
		const cells = (line) => counts ? [count(line.count), count(line.max)]
			: [count(line.count), ...[line.min, ...means ? [line.mean] : [], line.max].map((x) => quantity(x, unit))];
		this.#legend.replaceChildren(lines.length === 0 ? "" : el("table", {},
			el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "line"),
				heads.map((name) => el("th", { scope: "col", class: "number" }, name)))),
			el("tbody", {}, lines.map((line) => el("tr", {}, el("th", { scope: "row" }, this.#button(line)),
				cells(line).map((text) => el("td", { class: "number" }, text)))))));
	}

	#button(line) {
		const { dash } = strokeOf(line.style);
		const colour = "var(--" + (line.style < 0 ? "dim" : "c" + line.style % 10) + ")";
		const stacked = this.#what.stacked;
		const sample = svg("svg", { width: 26, height: 10, "aria-hidden": "true" }, svg("path", {
			d: "M0 5H26", style: { stroke: colour, strokeWidth: stacked ? "10" : "2.5",
				strokeDasharray: stacked ? "none" : dash.join(" ") || "none",
				opacity: stacked && line.style % 20 >= 10 ? "0.5" : "1" },
		}));
		const button = el("button", {
			type: "button", class: "line", "aria-pressed": String(!this.#off.has(line.name)), title: "Show or hide",
			onclick: () => {
				this.#off.has(line.name) ? this.#off.delete(line.name) : this.#off.add(line.name);
				button.setAttribute("aria-pressed", String(!this.#off.has(line.name)));
				this.#draw();
			},
		}, sample, line.name || "values");
		return button;
	}

	// #aim finds the value nearest to a position.
	#aim(x, y) {
		const { frame } = this;
		let best = null;
		for (const line of this.#shown()) {
			const index = nearest(line, frame.time(x));
			if (index >= 0) {
				const far = Math.hypot(frame.x(line.times[index]) - x, this.#what.stacked ? 0 : frame.y(line.values[index]) - y);
				if (!best || far < best.far) {
					best = { far, line, index, time: line.times[index] };
				}
			}
		}
		return best;
	}

	#point(x, y) {
		const at = this.#aim(x, y);
		this.#cursor = at && { ...at, time: at.far < 30 && !this.#what.stacked ? at.time : this.frame.time(x) };
		this.#tip.hidden = !at;
		if (at) {
			this.#fillTip();
		}
		this.#draw();
	}

	#fillTip() {
		const { time, line } = this.#cursor;
		const { unit, stacked } = this.#what;
		const values = this.#valuesAt(time, line);
		const lines = values.slice(0, 12).map(({ other, value }) => el("div", { class: other === line && !stacked ? "near" : "" },
			el("span", { class: "swatch", style: { background: strokeOf(other.style).colour } }),
			el("span", { class: "of" }, other.name || "value"),
			el("span", { class: "value" }, unit ? quantity(value, unit) : number(value))));
		const all = values.reduce((sum, { value }) => sum + value, 0);
		this.#tip.replaceChildren(el("div", { class: "time" }, seconds(time) + " s"), ...lines,
			stacked && values.length !== 1
				? el("div", {}, el("span", { class: "of" }, "all"), el("span", { class: "value" }, quantity(all, unit))) : "");
		const x = this.frame.x(time);
		const left = x + 14 + this.#tip.offsetWidth < this.frame.width ? x + 14 : Math.max(2, x - this.#tip.offsetWidth - 14);
		this.#tip.style.left = left + "px";
		this.#tip.style.top = "16px";
	}

	// #valuesAt returns the lines' values at a time, the greatest first. For stacked lines, these are the values of the
	// interval; for steps, the latest values; and for other lines, the nearest values.
	#valuesAt(time, line) {
		const { stacked, interval } = this.#what;
		const reach = (this.frame.to - this.frame.from) / 20;
		const list = [];
		for (const other of this.#shown()) {
			let index = nearest(other, time);
			if (stacked) {
				index = Math.floor((time - other.times[0]) / interval);
			} else if (other.step && other.times[index] > time) {
				index--;
			}
			const value = other.values[index];
			const near = stacked ? value > 0 : other === line || other.step || Math.abs(other.times[index] - time) <= reach;
			if (value !== undefined && near) {
				list.push({ other, value });
			}
		}
		return list.sort((a, b) => b.value - a.value);
	}

	#pointers() {
		let start = null;
		const place = (event) => {
			const box = this.#area.getBoundingClientRect();
			return [event.clientX - box.left, event.clientY - box.top];
		};
		this.#area.addEventListener("pointerdown", (event) => {
			start = place(event);
			this.#area.setPointerCapture(event.pointerId);
		});
		this.#area.addEventListener("pointermove", (event) => {
			const [x, y] = place(event);
			if (start && Math.abs(x - start[0]) > 5) {
				this.#band = [this.frame.time(start[0]), this.frame.time(x)].sort((a, b) => a - b);
			}
			if (this.frame) {
				this.#point(x, y);
			}
		});
		this.#area.addEventListener("pointerup", (event) => {
			if (this.#band) {
				const range = this.#band;
				this.#band = null;
				this.#app.span(range);
			} else if (start && this.frame) {
				this.#point(...place(event));
				this.#enter();
			}
			start = null;
		});
		this.#area.addEventListener("pointercancel", () => {
			start = this.#band = null;
			this.#draw();
		});
		this.#area.addEventListener("pointerleave", () => {
			this.#cursor = null;
			this.#tip.hidden = true;
			this.#draw();
		});
	}

	#enter() {
		if (this.#cursor?.line) {
			this.#look(this.#cursor.line, this.#cursor.index, this.#cursor.time);
		}
	}

	#keys() {
		this.#area.addEventListener("keydown", (event) => {
			const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
			const turn = { ArrowDown: 1, ArrowUp: -1 }[event.key];
			const lines = this.#shown().filter(({ times }) => times.length > 0);
			if (event.key === "Enter") {
				this.#enter();
			} else if ((step || turn) && lines.length > 0 && this.frame) {
				const at = this.#cursor?.line ? lines.indexOf(this.#cursor.line) : -1;
				const line = lines[(Math.max(at, 0) + (at < 0 ? 0 : turn ?? 0) + lines.length) % lines.length];
				const old = this.#cursor ? nearest(line, this.#cursor.time) : 0;
				const index = Math.max(0, Math.min(line.times.length - 1, this.#cursor ? old + (step ?? 0) : 0));
				this.#cursor = { line, index, time: line.times[index] };
				this.#tip.hidden = false;
				this.#fillTip();
				this.#said.textContent = (line.name || "value") + " " + quantity(line.values[index], this.#what.unit) +
					" at " + seconds(line.times[index]) + " s";
				this.#draw();
			} else {
				return;
			}
			event.preventDefault();
			event.stopPropagation();
		});
	}

	#save(form) {
		const name = (this.#app.state.name.split("/").pop() + " " + this.#what.title).replace(/[^\w.-]+/g, "-");
		if (form === "png") {
			this.#canvas.toBlob((blob) => blob && download(name + ".png", blob));
			return;
		}
		const frame = this.#frame();
		const c = colours();
		const lines = this.#shown();
		const pen = new SVGPen(frame.width, height + 20 * lines.length + 30, c.text, c.panel);
		plot(pen, frame, { ...this.#what, lines });
		pen.text(this.#what.title, frame.left, height + 12, { colour: c.ink, size: 13 });
		for (const [i, line] of lines.entries()) {
			const y = height + 32 + 20 * i;
			pen.path([frame.left, y, frame.left + 26, y], { ...strokeOf(line.style), width: 2.5 });
			pen.text(line.name || "values", frame.left + 34, y, { colour: c.ink });
		}
		download(name + ".svg", pen.written(), "image/svg+xml");
	}
}
