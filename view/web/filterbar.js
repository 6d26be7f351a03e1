import { el } from "gamedissect/dom";
import { matches } from "gamedissect/matches";

export function filterBar(app) {
	matches(app);
	return el("form", { class: "filter", role: "search" });
}
