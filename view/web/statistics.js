import { el } from "gamedissect/dom";

export const statistics = { name: "statistics", title: "Statistics", make };

function make(app) {
	return el("p", { class: "empty" }, "Statistics");
}
