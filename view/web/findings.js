import { el } from "gamedissect/dom";

export const findings = { name: "findings", title: "Findings", make };

function make(app) {
	return el("p", { class: "empty" }, "Findings");
}
