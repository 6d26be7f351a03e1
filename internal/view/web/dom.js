// dom.js creates elements. Texts in captures come from strangers, so they become text nodes and never HTML.

// el creates an element: el("button", {class: "quiet", onclick: f, "aria-label": "Close"}, "x", child ...). Functions
// become event listeners, true and false set and omit attributes, and null children are omitted.
export function el(name, attributes = {}, ...children) {
	return fill(document.createElement(name), attributes, children);
}

// svg creates an SVG element in the same way as el.
export function svg(name, attributes = {}, ...children) {
	return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(node, attributes, children) {
	for (const [key, value] of Object.entries(attributes)) {
		if (typeof value === "function") {
			node.addEventListener(key.replace(/^on/, ""), value);
		} else if (key === "style") {
			Object.assign(node.style, value); // the page's policy forbids the style attribute
		} else if (value === true) {
			node.setAttribute(key, "");
		} else if (value !== false && value !== null && value !== undefined) {
			node.setAttribute(key, value);
		}
	}
	node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
	return node;
}

// Severities differ in a mark in addition to the colour.
export const marks = { error: "✖", warning: "▲", note: "●" };

// badge shows a severity and a count.
export function badge(severity, text = "") {
	return el("span", { class: "badge " + severity, title: severity },
		el("span", { "aria-hidden": "true" }, marks[severity] ?? "●"),
		el("span", { class: text === "" ? "unseen" : "" }, text === "" ? severity : " " + text));
}

// iconButton returns a button with an icon and a label.
export function iconButton(icon, label, onclick, attributes = {}) {
	return el("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick, ...attributes },
		el("span", { "aria-hidden": "true" }, icon));
}

// download saves bytes or a text as a file.
export function download(name, content, type) {
	const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
	const link = el("a", { href: url, download: name, hidden: true });
	document.body.append(link);
	link.click();
	link.remove();
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// copy copies a text to the clipboard. It reports whether it succeeded: some browsers do not allow this for a page from
// disk.
export async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		const area = el("textarea", { class: "unseen" });
		area.value = text;
		document.body.append(area);
		area.select();
		const done = document.execCommand("copy");
		area.remove();
		return done;
	}
}
