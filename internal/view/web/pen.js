// pen.js draws on a canvas or writes SVG, with the same calls, so that a saved picture looks like the one on the
// screen.

import { sharp } from "gamedissect/paint";

// CanvasPen draws on a canvas.
export class CanvasPen {
	#context;

	constructor(canvas, width, height, font) {
		this.#context = sharp(canvas, width, height);
		this.font = font;
	}

	// path draws a line through points [x, y, x, y ...]. NaN interrupts the line.
	path(points, { colour, dash = [], width = 1.5 }) {
		const c = this.#context;
		c.strokeStyle = colour;
		c.lineWidth = width;
		c.lineJoin = "round";
		c.setLineDash(dash);
		c.beginPath();
		let down = false;
		for (let i = 0; i < points.length; i += 2) {
			if (Number.isNaN(points[i + 1])) {
				down = false;
			} else if (down) {
				c.lineTo(points[i], points[i + 1]);
			} else {
				c.moveTo(points[i], points[i + 1]);
				down = true;
			}
		}
		c.stroke();
		c.setLineDash([]);
	}

	// area fills the area between points.
	area(points, colour, opacity = 1) {
		const c = this.#context;
		c.globalAlpha = opacity;
		c.fillStyle = colour;
		c.beginPath();
		for (let i = 0; i < points.length; i += 2) {
			c.lineTo(points[i], points[i + 1]);
		}
		c.fill();
		c.globalAlpha = 1;
	}

	rect(x, y, width, height, colour, opacity = 1) {
		this.area([x, y, x + width, y, x + width, y + height, x, y + height], colour, opacity);
	}

	dot(x, y, radius, colour) {
		const c = this.#context;
		c.fillStyle = colour;
		c.beginPath();
		c.arc(x, y, radius, 0, 7);
		c.fill();
	}

	text(text, x, y, { colour, align = "left", size = 11.5 }) {
		const c = this.#context;
		c.font = size + "px " + this.font;
		c.fillStyle = colour;
		c.textAlign = align;
		c.textBaseline = "middle";
		c.fillText(text, x, y);
	}

	// within clips whatever f draws.
	within(x, y, width, height, f) {
		const c = this.#context;
		c.save();
		c.beginPath();
		c.rect(x, y, width, height);
		c.clip();
		f();
		c.restore();
	}
}

// SVGPen writes an SVG picture.
export class SVGPen {
	#parts = [];
	#clips = 0;

	constructor(width, height, font, ground) {
		Object.assign(this, { width, height, font });
		this.rect(0, 0, width, height, ground);
	}

	path(points, { colour, dash = [], width = 1.5 }) {
		let d = "";
		let letter = "M";
		for (let i = 0; i < points.length; i += 2) {
			if (Number.isNaN(points[i + 1])) {
				letter = "M";
			} else {
				d += letter + short(points[i]) + " " + short(points[i + 1]);
				letter = "L";
			}
		}
		this.#add("path", { d, fill: "none", stroke: colour, "stroke-width": width, "stroke-dasharray": dash.join(" ") || null,
			"stroke-linejoin": "round" });
	}

	area(points, colour, opacity = 1) {
		this.#add("polygon", { points: points.map(short).join(" "), fill: colour, "fill-opacity": opacity === 1 ? null : opacity });
	}

	rect(x, y, width, height, colour, opacity = 1) {
		this.#add("rect", { x: short(x), y: short(y), width: short(width), height: short(height), fill: colour,
			"fill-opacity": opacity === 1 ? null : opacity });
	}

	dot(x, y, radius, colour) {
		this.#add("circle", { cx: short(x), cy: short(y), r: radius, fill: colour });
	}

	text(text, x, y, { colour, align = "left", size = 11.5 }) {
		const anchor = { center: "middle", right: "end" }[align] ?? null;
		this.#add("text", { x: short(x), y: short(y), fill: colour, "font-size": size, "text-anchor": anchor,
			"dominant-baseline": "central" }, text);
	}

	within(x, y, width, height, f) {
		const id = "clip" + ++this.#clips;
		this.#parts.push("<clipPath id=\"" + id + "\">");
		this.rect(x, y, width, height, "black");
		this.#parts.push("</clipPath><g clip-path=\"url(#" + id + ")\">");
		f();
		this.#parts.push("</g>");
	}

	#add(name, attributes, text = "") {
		const list = Object.entries(attributes).filter(([, value]) => value !== null)
			.map(([key, value]) => " " + key + "=\"" + escaped(value) + "\"");
		this.#parts.push("<" + name + list.join("") + ">" + escaped(text) + "</" + name + ">");
	}

	// written returns the document.
	written() {
		return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + this.width + " " + this.height + "\" width=\"" + this.width +
			"\" height=\"" + this.height + "\" font-family=\"" + escaped(this.font) + "\">\n" + this.#parts.join("\n") + "\n</svg>\n";
	}
}

const short = (x) => Math.round(x * 100) / 100;

const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" };

function escaped(text) {
	// XML cannot contain control characters, even if they are escaped.
	return String(text).replace(/[&<>"]/g, (c) => entities[c]).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd");
}
