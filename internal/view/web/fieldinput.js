// fieldinput.js is an input for a field name with completions.

import { el } from "gamedissect/dom";

const most = 60;
let number = 0;
let known = null; // the fields of all protocols

async function fieldsOf(app) {
	known ??= app.ask("fields", {}).then(({ fields }) => {
		const names = new Set(fields.map(({ name }) => name));
		return fields.map((field) => names.has(field.name + ".x") && names.has(field.name + ".y")
			? { ...field, type: "number: x, y, z" } : field);
	});
	return known;
}

// fieldInput returns an input with a list. wanted selects the fields to propose. Fields of the message that near names
// come first. onchoose is called when the value changes.
export function fieldInput(app, { label, wanted, near = () => "", onchoose }) {
	const id = "field-" + ++number;
	const list = el("ul", { class: "field-offers", role: "listbox", id, hidden: true, "aria-label": label });
	const input = el("input", {
		type: "text", role: "combobox", "aria-expanded": "false", "aria-controls": id, "aria-autocomplete": "list", autocomplete: "off",
		spellcheck: "false", "aria-label": label, size: 38,
	});
	const own = { value: "", element: el("div", { class: "field-input" }, el("label", {}, label + " ", input), list) };
	let offers = [];
	let at = -1;
	const close = () => {
		list.hidden = true;
		input.setAttribute("aria-expanded", "false");
		input.removeAttribute("aria-activedescendant");
	};
	const choose = (name) => {
		input.value = name;
		close();
		if (name !== own.value) {
			own.value = name;
			onchoose();
		}
	};
	const mark = (i) => {
		at = i;
		for (const [k, item] of [...list.children].entries()) {
			item.setAttribute("aria-selected", String(k === at));
		}
		list.children[at]?.scrollIntoView({ block: "nearest" });
		if (at >= 0) {
			input.setAttribute("aria-activedescendant", id + "-" + at);
		}
	};
	const offer = async () => {
		const fields = await fieldsOf(app);
		offers = found(fields.filter(wanted), input.value.trim(), near(), Object.keys(app.state.protocols));
		list.replaceChildren(...offers.map(({ name, type }, i) => el("li", {
			role: "option", id: id + "-" + i, "aria-selected": "false", onpointerdown: (event) => {
				event.preventDefault();
				choose(name);
			},
		}, el("span", {}, name), el("span", { class: "dim" }, type))));
		list.hidden = offers.length === 0;
		input.setAttribute("aria-expanded", String(offers.length > 0));
		at = -1;
	};
	const listen = () => offer().catch((error) => app.complain(error));
	input.addEventListener("input", listen);
	input.addEventListener("focus", listen);
	input.addEventListener("blur", () => choose(input.value.trim()));
	input.addEventListener("keydown", (event) => {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (step && !list.hidden) {
			mark(Math.max(-1, Math.min(offers.length - 1, at + step)));
		} else if (event.key === "Enter") {
			choose(at >= 0 ? offers[at].name : input.value.trim());
		} else if (event.key === "Escape" && !list.hidden) {
			close();
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
	return own;
}

// found returns the fields whose names contain all words. It begins with fields of the message that near names,
// followed by fields of protocols that occur in the capture.
function found(fields, text, near, protocols) {
	const words = text.toLowerCase().split(/[\s.]+/).filter(Boolean);
	const message = near.split(".").slice(0, 2).join(".") + ".";
	const last = words.at(-1) ?? "";
	const rank = ({ name }) => (near !== "" && name.startsWith(message) ? 0 : 2) +
		(name.slice(name.lastIndexOf(".") + 1).includes(last) ? 0 : 1) +
		(protocols.includes(name.split(".")[0]) || !/[._]/.test(name) ? 0 : 4);
	return fields.filter(({ name }) => words.every((word) => name.includes(word)))
		.map((field) => [rank(field), field])
		.sort(([a, x], [b, y]) => a - b || (x.name < y.name ? -1 : 1)).slice(0, most).map(([, field]) => field);
}
