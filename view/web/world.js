import { el } from "gamedissect/dom";

export const world = { name: "world", title: "World", make };

function make(app) {
	return el("p", { class: "empty" }, "World");
}
