import { el } from "gamedissect/dom";

export const sequence = { name: "sequence", title: "Sequence", make };

function make(app) {
	return el("p", { class: "empty" }, "Sequence");
}
