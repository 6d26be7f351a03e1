// column.js keeps many numbers in little memory, finds places in them, and adds them up.

// Column is a list of numbers that grows.
export class Column {
	length = 0;

	constructor(kind) {
		this.values = new kind(64);
	}

	add(numbers) {
		const needed = this.length + numbers.length;
		if (needed > this.values.length) {
			const larger = new this.values.constructor(Math.max(needed, 2 * this.values.length));
			larger.set(this.values.subarray(0, this.length));
			this.values = larger;
		}
		this.values.set(numbers, this.length);
		this.length = needed;
	}
}

// bisect gives the first of the numbers from 0 to count of which something does not hold. It holds of all before.
export function bisect(count, holds) {
	let [low, high] = [0, count];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (holds(middle)) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

// lastAt gives the place of the last of count values in order that is not above a limit; -1: none.
export function lastAt(values, count, limit, of = (value) => value) {
	return bisect(count, (i) => of(values[i]) <= limit) - 1;
}

// sums adds up lists, number by number.
export function sums(lists) {
	return lists.reduce((all, list) => list.map((n, i) => n + (all[i] ?? 0)), []);
}
