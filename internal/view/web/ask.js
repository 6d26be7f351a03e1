// ask.js sends requests to the engine: a worker with WebAssembly, or the program that serves the page. Both answer the
// operations that package view documents.

import { fromBase64 } from "gamedissect/base64";
import { hold } from "gamedissect/reportfile";

// Refused is an error that the engine returned. If a filter caused the error, Refused has offset, size, meant and
// mended.
export class Refused extends Error {
	constructor({ text, offset, size, meant, mended }) {
		super(text);
		Object.assign(this, { offset, size, meant: meant ?? [], mended: mended ?? [] });
	}
}

// Engine sends one request at a time, urgent requests first.
export class Engine {
	#send; // (op, request, of) => Promise of an answer
	#add; // (file) => Promise of an answer
	#waiting = [[], []]; // urgent requests, and other requests
	#busy = false;

	constructor(send, add) {
		this.#send = send;
		this.#add = add;
	}

	// add opens a good capture for comparison.
	async add(file) {
		return accepted(await this.#add(file));
	}

	// of returns an engine for the nth good capture; 0 means the capture itself.
	of(n) {
		return {
			ask: (op, request, how) => this.ask(op, request, { ...how, of: n }),
			whole: (op, request, how) => this.whole(op, request, { ...how, of: n }),
		};
	}

	// ask returns the answer of an operation. signal cancels the request if it has not been sent yet.
	ask(op, request = {}, { signal, later = false, of = 0 } = {}) {
		return new Promise((resolve, reject) => {
			this.#waiting[later ? 1 : 0].push({ op, request, of, signal, resolve, reject });
			this.#next();
		});
	}

	// whole repeats a request until its answer is done, and passes each answer to onPart. Each request continues where
	// the previous one stopped.
	async whole(op, request = {}, { signal, onPart, later = true, of } = {}) {
		for (;;) {
			const answer = await this.ask(op, request, { signal, later, of });
			signal?.throwIfAborted();
			onPart?.(answer);
			if (answer.done) {
				return answer;
			}
		}
	}

	async #next() {
		if (this.#busy) {
			return;
		}
		const job = this.#waiting[0].shift() ?? this.#waiting[1].shift();
		if (!job) {
			return;
		}
		if (job.signal?.aborted) {
			job.reject(job.signal.reason);
			this.#next();
			return;
		}
		this.#busy = true;
		try {
			job.resolve(accepted(await this.#send(job.op, job.request, job.of)));
		} catch (error) {
			job.reject(error);
		}
		this.#busy = false;
		this.#next();
	}
}

// accepted returns an answer, or throws if the answer is an error.
function accepted(answer) {
	if (answer.error && typeof answer.error === "object") {
		throw new Refused(answer.error);
	}
	return answer;
}

// served returns an engine that uses the program that serves the page.
export function served(token) {
	const asked = async (path, body) => (await post(token, path, body)).json();
	return new Engine(
		(op, request, of) => asked("call?op=" + encodeURIComponent(op) + (of > 0 ? "&of=" + of : ""), request),
		(file) => asked("good?name=" + encodeURIComponent(file.name), file));
}

// servedReport asks the serving program for the page as a file, with a filter and notes, or without names.
export async function servedReport(token, { filter, notes, anonymize }, signal) {
	return (await post(token, "report", { filter, notes, anonymize }, signal)).blob();
}

async function post(token, path, body, signal) {
	let response;
	try {
		response = await fetch(path, {
			method: "POST", headers: { "X-Token": token, "Content-Type": "application/json" },
			body: body instanceof Blob ? body : JSON.stringify(body), signal,
		});
	} catch (error) {
		throw error.name === "AbortError" ? error : new Error("gamedissect view no longer answers. Did it end?");
	}
	if (!response.ok) {
		throw new Error("gamedissect view refused the request: " + (await response.text()).trim());
	}
	return response;
}

// inside starts the engine in this document. The result has a function open(files, options), which opens captures, each
// {file, name}, as one capture and returns an engine for it.
export async function inside() {
	const worker = new Worker(URL.createObjectURL(new Blob([take("worker")], { type: "text/javascript" })));
	const calls = new Map();
	let last = 0;
	let dead = null;
	let started;
	const ready = new Promise((resolve, reject) => {
		started = { resolve, reject };
	});
	const fail = (text) => {
		dead = new Error(text);
		started.reject(dead);
		for (const { reject } of calls.values()) {
			reject(dead);
		}
		calls.clear();
	};
	worker.onerror = (event) => fail("the engine did not start: " + (event.message || "this browser refuses workers"));
	worker.onmessage = ({ data }) => {
		if (data.type === "ready") {
			started.resolve();
		} else if (data.type === "failed") {
			fail(data.text);
		} else {
			calls.get(data.id)?.resolve(data.answer);
			calls.delete(data.id);
		}
	};
	const send = (message) => dead ? Promise.reject(dead) : new Promise((resolve, reject) => {
		const id = ++last;
		calls.set(id, { resolve, reject });
		worker.postMessage({ ...message, id });
	});
	const wasm = fromBase64(take("engine"));
	hold("engine", new Blob([wasm]));
	worker.postMessage({ type: "start", wasm: wasm.buffer }, [wasm.buffer]);
	await ready;
	return {
		async open(files, options = {}) {
			accepted(await send({ type: "open", files, options }));
			hold("capture", files.length === 1 ? files[0].file : null);
			return new Engine((op, request, of) => send({ type: "call", op, request, of }),
				(file) => send({ type: "good", file, name: file.name }));
		},
	};
}

// capture returns the capture in this document as a Blob, or null.
export function capture() {
	return document.getElementById("capture") ? new Blob([fromBase64(take("capture"))]) : null;
}

// take returns the text of a block of this document. It removes the block, which may be large.
function take(id) {
	const block = document.getElementById(id);
	const text = block.textContent;
	block.remove();
	return text;
}
