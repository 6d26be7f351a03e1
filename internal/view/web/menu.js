// menu.js is the menu of a message or a field. It offers filters, and texts to copy.

import { copy, el } from "gamedissect/dom";

const longest = 60; // maximum number of characters that are shown of a filter

// messageMenu opens the menu of a row. from is the element that gets the focus when the menu closes.
export function messageMenu(app, row, column, place, from) {
	const condition = conditionOf(row, column);
	const kind = row.finding ? conditionOf(row, "name") : kindOf(row);
	openMenu(app, place, from, "Message", [
		...filters(app, condition),
		null,
		...more(app, row, kind === condition ? "" : kind),
		null,
		["Copy as JSON", async () => put(app, JSON.stringify(await app.ask("detail", { row: row.row, all: true }), null, "\t"), "The message")],
		["Copy the line", () => put(app, lineOf(row), "The line")],
		condition && ["Copy as a filter", () => put(app, condition, "The filter")],
		["Copy a link to this place", () => app.tell("copy-link")],
		["Write a note …", () => app.tell("write-note")],
	]);
}

// fieldMenu opens the menu of a field.
export function fieldMenu(app, message, node, place, from) {
	const condition = node.filter ?? node.field ?? "";
	const value = [node.value, node.meaning].filter(Boolean).join(" ");
	openMenu(app, place, from, "Field " + node.name, [
		...filters(app, condition),
		null,
		...more(app, message, kindOf(message)),
		null,
		value && ["Copy the value", () => put(app, node.value ?? "", "The value")],
		condition && ["Copy as a filter", () => put(app, condition, "The filter")],
		["Copy the field as JSON", () => put(app, JSON.stringify(node, null, "\t"), "The field")],
		["Copy the message as JSON", () => put(app, JSON.stringify(message, null, "\t"), "The message")],
		["Copy a link to this place", () => app.tell("copy-link")],
	]);
}

function filters(app, condition) {
	if (!condition) {
		return [];
	}
	const not = /^[\w.]+$/.test(condition) ? "!" + condition : "!(" + condition + ")";
	const items = [["Filter: " + condition, () => app.sift(condition)]];
	if (app.filter !== "") {
		items.push(["… and the filter so far", () => app.narrow(condition)]);
	}
	items.push(["Not: " + not, () => app.narrow(not)]);
	return items;
}

function more(app, row, kind) {
	const stream = streamOf(row);
	return [
		stream && ["Follow this conversation: " + stream, () => app.sift(stream)],
		kind && ["Only this kind: " + kind, () => app.sift(kind)],
		kind && ["Without this kind", () => app.narrow("!(" + kind + ")")],
	];
}

// streamOf returns the filter for a row's conversation.
function streamOf({ stream }) {
	const [transport, n] = (stream ?? "").split(",");
	return n ? transport + ".stream == " + n : "";
}

function kindOf({ name, protocol }) {
	return name ? "protocol == " + quote(protocol) + " && message == " + quote(name) : "";
}

// conditionOf returns the filter for the content of a row in a column.
function conditionOf(row, column) {
	switch (column) {
	case "frame":
		return "frame.number == " + row.frame;
	case "time":
		return "frame.time_relative >= " + row.time.toFixed(9);
	case "src":
	case "dst":
		return endOf(row, column);
	case "way":
		return row.direction ? "direction == " + quote(row.direction) : "";
	case "protocol":
		return row.protocol ? "protocol == " + quote(row.protocol) : "";
	case "length":
		return row.length ? "length == " + row.length : "";
	case "mark":
		return row.rules ? "finding.rule == " + quote(row.rules[0]) : "";
	}
	return row.finding && row.rules ? "finding.rule == " + quote(row.rules[0]) : kindOf(row);
}

// endOf returns the filter for the address and port of a row's sender or receiver.
function endOf(row, side) {
	const at = row[side] ?? "";
	const colon = at.lastIndexOf(":");
	const address = at.slice(0, colon).replace(/^\[|\]$/g, "").replace(/%.*$/, "");
	if (address === "") {
		return "";
	}
	const transport = (row.stream ?? "").split(",")[0];
	const host = (address.includes(":") ? "ipv6." : "ip.") + side + " == " + address;
	return transport ? host + " && " + transport + "." + side + "port == " + at.slice(colon + 1) : host;
}

function quote(text) {
	return "\"" + text.replace(/[\\"]/g, "\\$&") + "\"";
}

function lineOf({ frame, time, stream, src, dst, protocol, name, summary }) {
	return [frame, time.toFixed(6), stream, (src ?? "") + " > " + (dst ?? ""), protocol, name, summary].filter(Boolean).join("  ");
}

async function put(app, text, what) {
	const done = await copy(text);
	app.say(done ? what + " is on the clipboard." : "This browser does not let the page write to the clipboard.", done ? "" : "error");
}

// openMenu shows items [label, action]. null separates groups. An item [label, action, checked, title] is a checkbox.
export function openMenu(app, place, from, label, items) {
	const menu = el("div", { class: "menu", role: "menu", "aria-label": label, tabindex: "-1" });
	const gone = new AbortController();
	const close = (back = true) => {
		gone.abort();
		menu.remove();
		if (back) {
			from?.focus({ preventScroll: true });
		}
	};
	for (const item of tidy(items)) {
		menu.append(item === null ? el("hr", { role: "separator" }) : el("button", {
			type: "button", role: item.length > 2 ? "menuitemcheckbox" : "menuitem", "aria-checked": item[2] === undefined ? null : String(item[2]),
			tabindex: "-1", title: item[3] ?? (item[0].length > longest ? item[0] : null), onclick: async () => {
				close();
				try {
					await item[1]();
				} catch (error) {
					app.complain(error);
				}
			},
		}, item[0].length > longest ? item[0].slice(0, longest) + " …" : item[0]));
	}
	document.body.append(menu);
	const { width, height } = menu.getBoundingClientRect();
	menu.style.left = Math.max(Math.min(place.x, innerWidth - width - 4), 4) + "px";
	menu.style.top = Math.max(place.y + height < innerHeight - 4 ? place.y : Math.min(place.y, innerHeight) - height, 4) + "px";
	menu.addEventListener("keydown", (event) => keys(event, menu, close));
	menu.addEventListener("contextmenu", (event) => event.preventDefault());
	addEventListener("pointerdown", (event) => menu.contains(event.target) || close(false), { signal: gone.signal, capture: true });
	addEventListener("resize", () => close(), { signal: gone.signal });
	addEventListener("blur", () => close(), { signal: gone.signal });
	menu.querySelector("button")?.focus();
}

// tidy removes missing items, and separators that do not separate items.
function tidy(items) {
	const out = items.filter((item) => item === null || item);
	return out.filter((item, i) => item !== null || i > 0 && i < out.length - 1 && out[i - 1] !== null);
}

function keys(event, menu, close) {
	const buttons = [...menu.querySelectorAll("button")];
	const at = buttons.indexOf(document.activeElement);
	const to = { ArrowDown: at + 1, ArrowUp: at - 1 + buttons.length, Home: 0, End: buttons.length - 1 }[event.key];
	if (to !== undefined) {
		buttons[to % buttons.length].focus();
	} else if (event.key === "Escape" || event.key === "Tab") {
		close();
	} else if (event.key === "Enter" || event.key === " ") {
		return; // a button handles its own keys
	}
	event.preventDefault();
	event.stopPropagation();
}
