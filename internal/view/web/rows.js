// rows.js loads the rows near the visible part of the list. It loads one block at a time, visible blocks first.

const blockSize = 100;
const mostBlocks = 120;
const longestText = 500; // maximum length of a cell's text in UTF-16 units; the detail pane has the whole text

// Rows sends the event "rows" when rows arrive.
export class Rows extends EventTarget {
	#app;
	#filter = "";
	#blocks = new Map(); // the most recently used block is last
	#window = [0, -1];
	#asking = null;

	constructor(app) {
		super();
		this.#app = app;
	}

	get total() {
		return this.#app.matches.total;
	}

	// row returns the row at an index of the list, or undefined if the row has not arrived yet.
	row(at) {
		return this.#blocks.get(Math.floor(at / blockSize))?.[at % blockSize];
	}

	// sift drops the rows of the previous filter.
	sift(filter) {
		this.#filter = filter;
		this.#blocks.clear();
		this.#asking?.abort();
		this.#asking = null;
	}

	// want sets which rows are visible.
	want(first, last) {
		this.#window = [first, last];
		if (!this.#asking) {
			this.#next();
		}
	}

	// around returns the index of the row with the given number or, if that row does not match, of the next matching
	// row.
	async around(row, signal) {
		if (this.#filter === "") {
			return { at: row, row };
		}
		const answer = await this.#app.ask("rows", { filter: this.#filter, around: row, count: 2 }, { signal });
		const i = answer.rows.findIndex((r) => r.row >= row);
		return { at: answer.from + Math.max(i, 0), row: answer.rows[Math.max(i, 0)]?.row ?? -1 };
	}

	#whole(block) {
		const rows = this.#blocks.get(block);
		return rows && rows.length >= Math.min(blockSize, this.total - block * blockSize);
	}

	// #missing returns the block to request next: a missing block in the window, or else a missing block next to the
	// window.
	#missing() {
		const [first, last] = this.#window;
		const from = Math.floor(first / blockSize);
		const to = Math.floor(last / blockSize);
		const end = Math.ceil(this.total / blockSize);
		const wanted = (block) => block >= 0 && block < end && !this.#whole(block);
		for (let block = from; block <= to; block++) {
			if (wanted(block)) {
				return block;
			}
		}
		return wanted(to + 1) ? to + 1 : wanted(from - 1) ? from - 1 : -1;
	}

	async #next() {
		const block = this.#missing();
		if (block < 0) {
			return;
		}
		const { signal } = this.#asking = new AbortController();
		try {
			const answer = await this.#app.ask("rows", { from: block * blockSize, count: blockSize, filter: this.#filter }, { signal });
			if (!signal.aborted) {
				this.#keep(block, answer.rows);
				this.#asking = null;
				if (this.#whole(block)) { // an incomplete block is requested again later
					this.#next();
				}
			}
		} catch (error) {
			if (!signal.aborted) {
				this.#asking = null;
				this.#app.complain(error);
			}
		}
	}

	#keep(block, rows) {
		for (const row of rows) {
			if (row.summary?.length > longestText) {
				row.summary = row.summary.slice(0, longestText) + " …";
			}
		}
		this.#blocks.delete(block);
		this.#blocks.set(block, rows);
		if (this.#blocks.size > mostBlocks) {
			this.#blocks.delete(this.#blocks.keys().next().value);
		}
		this.dispatchEvent(new Event("rows"));
	}
}
