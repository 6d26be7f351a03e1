import { el } from "gamedissect/dom";

export function filterBar(app) {
	return el("form", { class: "filter", role: "search" });
}
