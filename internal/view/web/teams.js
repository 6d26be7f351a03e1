// teams.js has the colours of teams and flags. They stand on a map, so they are the same in both themes; each has a
// letter as well, because colour says nothing to some.

const teams = {
	Rogue: ["#f0b400", "#1d1c1a"], Red: ["#c81e1e", "#ffffff"], Green: ["#0a6b2c", "#ffffff"], Blue: ["#1d4ed8", "#ffffff"],
	Purple: ["#7a28b8", "#ffffff"], Observer: ["#5f6670", "#ffffff"], Rabbit: ["#f4f4f4", "#1d1c1a"], Hunter: ["#d9620a", "#1d1c1a"],
};
const others = ["#3b4350", "#ffffff"];

// colours gives those of a team: that of its tanks, and that of writing on it.
export function colours(team) {
	return teams[team] ?? others;
}

// letter is the sign of a team.
export function letter(team) {
	return team in teams ? team[0] : "?";
}

const codes = { "R*": "Red", "G*": "Green", "B*": "Blue", "P*": "Purple" };

// teamOfFlag gives the team whose flag it is, by the names of both versions of the game; "": none.
export function teamOfFlag(name) {
	const team = codes[name] ?? name.replace(/ Team$/, "");
	return team in teams ? team : "";
}
