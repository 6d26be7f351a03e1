import { el } from "gamedissect/dom";

export const messages = { name: "messages", title: "Messages", make };

function make(app) {
	return el("p", { class: "empty" }, "Messages");
}
