// teams.js has the colours of teams and flags. These are drawn on a map, so they are the same in both themes. Each team
// also has a letter, because some people cannot distinguish the colours.

const teams = {
	Rogue: ["#f0b400", "#1d1c1a"], Red: ["#c81e1e", "#ffffff"], Green: ["#0a6b2c", "#ffffff"], Blue: ["#1d4ed8", "#ffffff"],
	Purple: ["#7a28b8", "#ffffff"], Observer: ["#5f6670", "#ffffff"], Rabbit: ["#f4f4f4", "#1d1c1a"], Hunter: ["#d9620a", "#1d1c1a"],
};
const others = ["#3b4350", "#ffffff"];

// colours returns the colours of a team's tanks, and of text on them.
export function colours(team) {
	return teams[team] ?? others;
}

// letter returns the letter of a team.
export function letter(team) {
	return team in teams ? team[0] : "?";
}

const codes = { "R*": "Red", "G*": "Green", "B*": "Blue", "P*": "Purple" };

// teamOfFlag returns the team that a flag belongs to, or "". The name of the flag may be from either version of the
// game.
export function teamOfFlag(name) {
	const team = codes[name] ?? name.replace(/ Team$/, "");
	return team in teams ? team : "";
}
