// column.js stores, searches and sums long lists of numbers.

// Column is a growing list of numbers in little memory.
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

// bisect returns the smallest number from 0 to count for which a condition is false, or count. The condition must be
// true for all smaller numbers, and false for all greater ones.
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

// lastAt returns the index of the last of count ascending values that is not greater than a limit, or -1.
export function lastAt(values, count, limit, of = (value) => value) {
	return bisect(count, (i) => of(values[i]) <= limit) - 1;
}

// sums adds lists element by element.
export function sums(lists) {
	return lists.reduce((all, list) => list.map((n, i) => n + (all[i] ?? 0)), []);
}
