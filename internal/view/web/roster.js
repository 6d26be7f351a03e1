// roster.js lists the players. It shows each player's team, whether the player's tank is drawn, and whether the picture
// follows the tank.

import { el } from "gamedissect/dom";
import { colours, letter } from "gamedissect/teams";

// roster calls show(who, on) and follow(who or null).
export function roster({ show, follow }) {
	const list = el("ul", { class: "players", "aria-label": "Players" });
	const lines = new Map();
	let followed = null;

	function line(who) {
		const box = el("input", { type: "checkbox", checked: true, "aria-label": "Draw " + who, onchange: () => show(who, box.checked) });
		const plate = el("span", { class: "team" });
		const button = el("button", {
			type: "button", class: "who", "aria-pressed": "false", title: "Follow " + who,
			onclick: () => follow(followed === who ? null : who),
		}, who);
		const state = el("span", { class: "state" });
		const item = el("li", {}, box, plate, button, state);
		const made = { item, plate, button, state };
		lines.set(who, made);
		list.append(item);
		return made;
	}

	return {
		element: list,

		// list shows the players that have tracks.
		list(tracks) {
			for (const { who, team } of tracks) {
				const { plate } = lines.get(who) ?? line(who);
				const [fill, ink] = colours(team);
				plate.textContent = letter(team);
				plate.title = team || "unknown team";
				Object.assign(plate.style, { background: fill, color: ink });
			}
			for (const [who, { item }] of lines) {
				if (!tracks.some((track) => track.who === who)) {
					item.remove();
					lines.delete(who);
				}
			}
		},

		follow(who) {
			followed = who;
			for (const [name, { button }] of lines) {
				button.setAttribute("aria-pressed", String(name === who));
			}
		},

		// tell shows the current state of each player.
		tell(tanks) {
			const drawn = new Map(tanks.map((tank) => [tank.who, tank]));
			for (const [who, { item, state }] of lines) {
				const tank = drawn.get(who);
				const text = !tank ? "–" : !tank.alive ? "dead" : tank.paused ? "paused" : tank.speed.toFixed(0) + " u/s";
				if (state.textContent !== text) {
					state.textContent = text;
				}
				item.classList.toggle("away", !tank);
			}
		},
	};
}
