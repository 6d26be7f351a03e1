// format.js formats numbers.

// seconds formats a time since the first packet, like the program.
export function seconds(s) {
	return s.toFixed(6);
}

// span formats a duration in a suitable unit.
export function span(s) {
	const size = Math.abs(s);
	if (size === 0) {
		return "0 s";
	}
	if (size < 1e-3) {
		return (s * 1e6).toFixed(0) + " µs";
	}
	if (size < 1) {
		return (s * 1e3).toFixed(size < 0.01 ? 2 : size < 0.1 ? 1 : 0) + " ms";
	}
	if (size < 120) {
		return (Number.isInteger(s) ? s : s.toFixed(size < 10 ? 2 : 1)) + " s";
	}
	if (size < 7200) {
		return Math.floor(s / 60) + " min " + Math.round(s % 60) + " s";
	}
	return Math.floor(s / 3600) + " h " + Math.round(s % 3600 / 60) + " min";
}

// size formats a number of bytes. 1 kB is 1000 bytes.
export function size(bytes) {
	const units = ["B", "kB", "MB", "GB", "TB"];
	let unit = 0;
	while (bytes >= 1000 && unit < units.length - 1) {
		bytes /= 1000;
		unit++;
	}
	return (unit === 0 || bytes >= 100 ? bytes.toFixed(0) : bytes.toPrecision(3)) + " " + units[unit];
}

// count formats a number with thousands separators.
export function count(n) {
	return Math.round(n).toLocaleString("en-US");
}

// counted formats a number of things: "1 message", "2 messages".
export function counted(n, thing, things = thing + "s") {
	return count(n) + " " + (n === 1 ? thing : things);
}

// middleCut shortens a text to a number of letters by cutting out the middle. It keeps more letters at the end, where
// texts often differ.
export function middleCut(text, room) {
	const letters = [...text];
	if (letters.length <= room) {
		return text;
	}
	const start = Math.floor((room - 1) / 3);
	return letters.slice(0, start).join("") + "…" + letters.slice(letters.length - (room - 1 - start)).join("");
}

// number formats the significant digits of a measured value.
export function number(x) {
	if (x === null || x === undefined || Number.isNaN(x)) {
		return "";
	}
	if (Number.isInteger(x)) {
		return Math.abs(x) < 1e15 ? x.toLocaleString("en-US") : x.toExponential(3);
	}
	return String(Number(x.toPrecision(Math.abs(x) >= 1000 ? 7 : 4)));
}

// quantity formats a value with its unit. A value in s is formatted as a duration, and a value in B as a number of
// bytes.
export function quantity(x, unit) {
	if (x === null || x === undefined) {
		return "";
	}
	return unit === "s" ? span(x) : unit === "B" ? size(x) : number(x) + (unit ? " " + unit : "");
}
