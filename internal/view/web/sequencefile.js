// sequencefile.js saves the filtered diagram as a picture. The picture contains its colours.

import { download, svg } from "gamedissect/dom";
import { count, counted, seconds } from "gamedissect/format";
import { called, describe, layoutOf, lineHeight, onScreen, shapes, timesWidth } from "gamedissect/arrows";

const most = 2000; // number of lines
const top = 78; // pixels above the first line
const column = 240;
const fonts = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

// save downloads the picture.
export async function save(app, runs) {
	const lines = await runs.lines(most);
	const left = runs.total - lines.length;
	const text = pictureOf(lines, { ends: runs.ends, title: titleOf(app), left });
	const name = app.state.name.replace(/\.(pcap|pcapng|gz|zst)\b/g, "").replace(/[^\w.-]+/g, "_");
	download(name + "-sequence.svg", text, "image/svg+xml");
	const has = left > 0 ? "the first " + count(lines.length) + " lines of " + count(runs.total) : counted(lines.length, "line");
	app.say("The picture has " + has + ".");
}

function titleOf(app) {
	const range = app.range ? ", " + app.range.map(seconds).join(" s to ") + " s" : "";
	return app.state.name + (app.filter === "" ? "" : ": " + app.filter) + range;
}

// pictureOf returns the picture as text. Texts in the picture are nodes, which the serializer escapes.
export function pictureOf(lines, { ends, title, left = 0 }) {
	const layout = layoutOf(ends, timesWidth + ends.length * column);
	const paint = paintOf();
	const bottom = top + lines.length * lineHeight;
	const height = bottom + (left > 0 ? 40 : 16);
	const picture = svg("svg", {
		viewBox: "0 0 " + layout.width + " " + height, width: layout.width, height, "font-family": fonts, "font-size": 12,
	}, svg("title", {}, title), svg("rect", { width: "100%", height: "100%", fill: paint.panel }),
	svg("text", { x: 12, y: 22, fill: paint.ink, "font-weight": 600 }, title.slice(0, Math.floor(layout.width / 8))),
	ends.map((end) => head(end, layout, paint)),
	lines.map((line, i) => svg("g", { transform: "translate(0 " + (top + i * lineHeight) + ")" },
		svg("title", {}, describe(line)),
		line.count > 0 && svg("text", { x: timesWidth - 12, y: 17, "text-anchor": "end", fill: paint.dim }, seconds(line.time)),
		...shapes(line, layout, paint, { folds: false }))),
	left > 0 && svg("text", { x: 12, y: bottom + 24, fill: paint.dim }, count(left) + " more lines are not shown."));
	clean(picture);
	return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + new XMLSerializer().serializeToString(picture) + "\n";
}

function head(of, layout, paint) {
	const { end, server } = of;
	const text = called(of);
	const [x, width] = [layout.x.get(end), layout.column - 8];
	const room = Math.floor(width / 7.6);
	const box = { x: x - width / 2, y: 36, width, height: 28, rx: 5 };
	return svg("g", {}, svg("rect", { ...box, fill: paint.raised, stroke: server ? paint.ink : paint.line }),
		svg("text", { x, y: 54, "text-anchor": "middle", fill: paint.ink, "font-weight": server ? 600 : null },
			text.length > room ? text.slice(0, room - 1) + "…" : text),
		svg("line", { x1: x, x2: x, y1: 64, y2: top, stroke: paint.line }));
}

// paintOf returns the current colours.
function paintOf() {
	const style = getComputedStyle(document.documentElement);
	return Object.fromEntries(Object.keys(onScreen).map((name) => [name, style.getPropertyValue("--" + name).trim()]));
}

// clean removes characters that XML does not allow in a text, even if they are escaped.
function clean(picture) {
	const texts = document.createTreeWalker(picture, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const { currentNode: node } = texts;
		node.data = node.data.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
	}
}
