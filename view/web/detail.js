import { el } from "gamedissect/dom";

export function detailPane(app) {
	return el("aside", { class: "detail", "aria-label": "Message" });
}
