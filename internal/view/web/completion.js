// completion.js proposes completions at the cursor of a filter: names of fields, or named values. If the input is
// empty, it proposes earlier filters.

import { el } from "gamedissect/dom";

const mostKept = 50;

// Completion belongs to an input. It calls took after it has changed the text of the input.
export class Completion {
	#app;
	#input;
	#took;
	#offers = []; // {text, from, to, type, more}
	#at = -1;
	#work = null;
	#history = []; // the latest is first

	constructor(app, input, took) {
		this.#app = app;
		this.#input = input;
		this.#took = took;
		this.element = el("ul", { class: "offers", role: "listbox", id: "filter-offers", "aria-label": "Completions", hidden: true });
		this.element.addEventListener("pointerdown", (event) => {
			event.preventDefault(); // the input keeps the focus
			const option = event.target.closest("[role=option]");
			if (option) {
				this.#take(Number(option.dataset.at));
			}
		});
	}

	get open() {
		return !this.element.hidden;
	}

	// keep remembers a filter that was applied.
	keep(text) {
		if (text !== "") {
			this.#history = [text, ...this.#history.filter((other) => other !== text)].slice(0, mostKept);
		}
	}

	close() {
		this.#work?.abort();
		this.#show([]);
	}

	// offer requests completions at the cursor. It does nothing if no word has begun, unless eager is true.
	async offer(eager = false) {
		this.#work?.abort();
		const { signal } = this.#work = new AbortController();
		const text = this.#input.value;
		const cursor = this.#input.selectionStart;
		if (text.trim() === "" && !eager) {
			this.#show([]);
			return;
		}
		try {
			const request = { text, offset: bytesIn(text.slice(0, cursor)), count: 40 };
			const { from, to, names, more } = await this.#app.ask("complete", request, { signal });
			if (signal.aborted || this.#input.value !== text) {
				return;
			}
			const word = { from: unitsIn(text, from), to: unitsIn(text, to) };
			const written = text.slice(word.from, word.to);
			const wanted = eager || written !== "" && names.some(({ name }) => name !== written) || names[0]?.type === "value";
			this.#show(wanted ? names.map(({ name, type, values }) => ({ ...word, text: name, type, values })) : [], more);
		} catch (error) {
			if (error.name !== "AbortError") {
				this.#show([]);
			}
		}
	}

	// key handles a key if the key is for the list. It reports whether the key was for the list.
	key(event) {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (event.key === " " && event.ctrlKey) {
			this.offer(true);
		} else if (step && this.open) {
			this.#aim((this.#at + step + this.#offers.length + (this.#at < 0 && step < 0 ? 1 : 0)) % this.#offers.length);
		} else if (step && this.#input.value === "") {
			this.#show(this.#history.map((text) => ({ text, from: 0, to: 0, type: "before" })));
		} else if (step) {
			this.offer(true);
		} else if ((event.key === "Enter" || event.key === "Tab") && this.open && this.#at >= 0) {
			this.#take(this.#at);
		} else if (event.key === "Escape" && this.open) {
			this.close();
		} else {
			return false;
		}
		return true;
	}

	#take(at) {
		const { text, from, to } = this.#offers[at];
		const { value } = this.#input;
		this.#input.value = value.slice(0, from) + text + value.slice(to);
		this.#input.setSelectionRange(from + text.length, from + text.length);
		this.close();
		this.#took();
	}

	#show(offers, more = 0) {
		this.#offers = offers;
		this.element.replaceChildren(...offers.map(({ text, type, values }, i) =>
			el("li", { role: "option", id: "filter-offer-" + i, "data-at": i, "aria-selected": "false" },
				el("span", { class: "mono" }, text),
				el("span", { class: "dim" }, told(type, values)))));
		if (more > 0) {
			this.element.append(el("li", { class: "dim more", role: "presentation" }, more + " more: keep typing"));
		}
		this.element.hidden = offers.length === 0;
		this.#input.setAttribute("aria-expanded", String(offers.length > 0));
		this.#aim(-1);
	}

	#aim(at) {
		this.element.children[this.#at]?.setAttribute("aria-selected", "false");
		this.#at = at;
		const option = this.element.children[at];
		if (option) {
			option.setAttribute("aria-selected", "true");
			option.scrollIntoView({ block: "nearest" });
			this.#input.setAttribute("aria-activedescendant", option.id);
		} else {
			this.#input.removeAttribute("aria-activedescendant");
		}
	}
}

// told describes a proposal: its type, and some of its values.
function told(type, values) {
	if (type === "value" || type === "before") {
		return "";
	}
	return values ? type + ": " + values.slice(0, 4).join(" ") + (values.length > 4 ? " …" : "") : type;
}

// bytesIn returns the length of a text in bytes of UTF-8, which the engine uses as a unit.
function bytesIn(text) {
	return new TextEncoder().encode(text).length;
}

// unitsIn returns the position in a text after a number of UTF-8 bytes.
export function unitsIn(text, bytes) {
	return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
}
