// runs.js loads the lines of the diagram that are near the visible part. The engine folds runs of equal messages. If
// the user unfolds a run, the messages of the run are listed below it.

const blockSize = 100;
const mostBlocks = 60;
const mostOpen = 50;
const rereadAfter = 400; // milliseconds between updates while the capture is being read

// Runs sends events: "asked" (another diagram), "total", "ends", "lines".
export class Runs extends EventTarget {
	#app;
	#what = { filter: "", clients: [], hosts: [], hide: [], apart: false, no_moves: true };
	#answer = { total: 0, arrows: 0, moved: 0, hidden: 0, ends: [], done: false, examined: 0 };
	#blocks = new Map(); // "number of the block", or "run:number" -> lines
	#open = []; // unfolded lines, in order: {line, count}
	#window = [0, -1];
	#work = null; // set while a diagram is being made
	#asking = false;
	#last = 0;

	constructor(app) {
		super();
		this.#app = app;
	}

	get what() { return this.#what; }
	get total() { return this.#answer.total; }
	get arrows() { return this.#answer.arrows; }
	get hidden() { return this.#answer.hidden; }
	get ends() { return this.#answer.ends; }
	get done() { return this.#answer.done && this.#app.state.done; }

	// size returns the number of lines, including the lines of unfolded runs.
	get size() {
		return this.total + this.#open.reduce((n, run) => n + run.count, 0);
	}

	// joined says which ends are joined, in the form of an argument for join.
	get joined() {
		return this.#what.hosts.includes("all") ? "hosts" : this.#what.clients.includes("all") ? "clients" : "";
	}

	join(how) {
		this.show({ clients: how === "clients" ? ["all"] : [], hosts: how === "hosts" ? ["all"] : [], hide: [] });
	}

	// show requests another diagram, with another filter or with other ends joined or hidden.
	show(what) {
		const next = { ...this.#what, ...what };
		if (JSON.stringify(next) === JSON.stringify(this.#what)) {
			return;
		}
		this.#what = next;
		this.#open = [];
		this.#blocks.clear();
		this.rest();
		this.#answer = { ...this.#answer, total: 0, arrows: 0, moved: 0, done: false, examined: 0 };
		this.#tell("asked");
		this.go();
	}

	// rest stops the work on the diagram.
	rest() {
		this.#work?.abort();
		this.#work = null;
	}

	// go adds rows that were read since its last call.
	go() {
		const caughtUp = this.#answer.done && this.#answer.examined === this.#app.state.rows;
		if (!this.#work && !caughtUp && (this.#app.state.done || performance.now() - this.#last > rereadAfter)) {
			this.#read().catch((error) => this.#app.complain(error));
		}
	}

	async #read() {
		const { signal } = this.#work = new AbortController();
		const request = { ...this.#what, from: 0, count: 1, ms: 25 };
		try {
			await this.#app.whole("sequence", request, { signal, onPart: (answer) => this.#take(answer, signal) });
		} finally {
			if (!signal.aborted) {
				this.#work = null;
				this.#last = performance.now();
			}
		}
		if (!signal.aborted && this.#app.state.done) {
			this.go(); // the last rows arrived in the meantime
		}
	}

	// #take stores the totals of an answer. It drops the last lines, because these may have become longer.
	#take(answer, signal) {
		if (signal?.aborted) {
			return;
		}
		const old = this.#answer;
		this.#answer = answer;
		const shifted = old.moved !== answer.moved; // lines were inserted before others, so line numbers changed
		if (shifted) {
			this.#open = [];
		}
		const late = [...this.#blocks].filter(([, { end }]) => shifted || old.arrows !== answer.arrows && end > old.total - 2 * blockSize);
		for (const [key] of late) {
			this.#blocks.delete(key);
		}
		if (late.length > 0) {
			this.#tell("lines");
		}
		const named = ({ ends }) => ends.map(({ end, name }) => end + " " + name).join();
		const changed = named(old) !== named(answer);
		if (changed || answer.done && old.arrows !== answer.arrows) {
			this.#tell("ends");
		}
		this.#tell("total");
		this.#next();
	}

	#tell(event) {
		this.dispatchEvent(new Event(event));
	}

	// #find returns the line at an index and the message within that line. The message is -1 for the line itself.
	#find(place) {
		let before = 0;
		for (const run of this.#open) {
			if (place <= run.line + before) {
				break;
			}
			if (place <= run.line + before + run.count) {
				return { number: run.line, sub: place - run.line - before - 1 };
			}
			before += run.count;
		}
		return { number: place - before, sub: -1 };
	}

	// at returns the item at an index. The item has no line until the line arrives.
	at(place) {
		const { number, sub } = this.#find(place);
		const [key, n] = sub < 0 ? ["", number] : ["run:" + number, sub];
		const block = this.#blocks.get(key + ":" + Math.floor(n / blockSize));
		return { line: place < 0 ? undefined : block?.lines[n % blockSize], sub };
	}

	isOpen({ line }) {
		return this.#open.some((run) => run.line === line);
	}

	// toggle unfolds a folded run, or folds an unfolded one.
	toggle({ line, count }) {
		if (this.isOpen({ line })) {
			this.#open = this.#open.filter((run) => run.line !== line);
		} else if (count > 1) {
			this.#open = [...this.#open.slice(-mostOpen + 1), { line, count }].sort((a, b) => a.line - b.line);
		}
		this.#tell("total");
		this.#tell("lines");
	}

	// place returns the index that shows a row, or -1.
	async place(row) {
		const what = this.#what;
		const answer = await this.#app.ask("sequence", { ...what, around: row, count: 1 });
		if (answer.at < 0 || what !== this.#what) {
			return -1;
		}
		return this.#open.reduce((n, run) => n + (run.line < answer.at ? run.count : 0), answer.at);
	}

	// want sets which items are visible.
	want(first, last) {
		this.#window = [first, last];
		this.#next();
	}

	// #missing returns the block to request first.
	#missing() {
		const [first, last] = this.#window;
		for (let place = Math.max(first, 0); place <= Math.min(last, this.size - 1); place++) {
			if (!this.at(place).line) {
				const { number, sub } = this.#find(place);
				const from = Math.floor((sub < 0 ? number : sub) / blockSize) * blockSize;
				const key = (sub < 0 ? "" : "run:" + number) + ":" + from / blockSize;
				return sub < 0 ? { key, from } : { key, from, run: number };
			}
		}
		return null;
	}

	async #next() {
		const missing = this.#asking ? null : this.#missing();
		if (!missing) {
			return;
		}
		const { key, from, run } = missing;
		const what = this.#what;
		this.#asking = true;
		try {
			const answer = await this.#app.ask("sequence", { ...what, from, count: blockSize, run, ms: 0 });
			if (what === this.#what) {
				if (answer.lines.length === 0) {
					return; // the diagram is being made again
				}
				this.#keep(key, from, answer);
			}
		} catch (error) {
			this.#app.complain(error);
			return;
		} finally {
			this.#asking = false;
		}
		this.#next();
	}

	#keep(key, from, { lines }) {
		this.#blocks.delete(key);
		this.#blocks.set(key, { lines, end: key.startsWith("run") ? Infinity : from + lines.length });
		if (this.#blocks.size > mostBlocks) {
			this.#blocks.delete(this.#blocks.keys().next().value);
		}
		this.#tell("lines");
	}

	// lines returns the first lines, to make a picture of them.
	async lines(most) {
		const all = [];
		while (all.length < Math.min(most, this.total)) {
			const request = { ...this.#what, from: all.length, count: Math.min(500, most - all.length) };
			const { lines } = await this.#app.ask("sequence", request);
			if (lines.length === 0) {
				break;
			}
			all.push(...lines);
		}
		return all;
	}
}
