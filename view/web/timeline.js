import { el } from "gamedissect/dom";

export const timeline = { name: "timeline", title: "Time line", make };

function make(app) {
	return el("p", { class: "empty" }, "Time line");
}
