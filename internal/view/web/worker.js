// The worker runs the engine. In its script, it comes after wasm_exec.js, which defines Go.
//
// Messages to it:    {type: "start", wasm}                 an ArrayBuffer of the gzipped engine
//                    {type: "open", id, files: [{file, name}], options: {mask_secrets, document, decode_as}}
//                    {type: "good", id, file, name}       a good capture to compare with
//                    {type: "call", id, op, request, of}  of: 0, or the number of a good capture
// Messages from it:  {type: "ready"}, {id, answer}, and {type: "failed", text} when the engine has ended
//
// Requests are answered one at a time, in the order in which they came.
"use strict";

(() => {
	let dead = false;
	const fail = (text) => {
		if (!dead) {
			dead = true;
			self.postMessage({ type: "failed", text });
		}
	};

	// The engine prints a text only before it ends: because of a panic, or because no memory is left.
	const mostWords = 4000;
	let words = "";
	const utf8 = new TextDecoder();
	globalThis.fs.writeSync = (_, bytes) => {
		words = (words + utf8.decode(bytes)).slice(0, mostWords);
		return bytes.length;
	};

	// died reports that the engine has ended, and the reason.
	const died = (why) => {
		const said = words.trim();
		if (/out of memory|cannot allocate memory/.test(said + why)) {
			fail("There is not enough memory for this capture.");
			return;
		}
		fail("The engine ended unexpectedly: " + (said.split("\n")[0] || why));
	};

	const start = async (wasm) => {
		if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
			throw new Error("this browser is too old: it has no WebAssembly or no DecompressionStream");
		}
		const unpacked = new Response(wasm).body.pipeThrough(new DecompressionStream("gzip"));
		const module = await WebAssembly.compile(await new Response(unpacked).arrayBuffer());
		const go = new Go();
		// If much memory is allowed, garbage is collected rarely, which saves time. The limit is below the 4 GiB that
		// are possible.
		go.env = { GOMEMLIMIT: "3GiB" };
		go.exit = (code) => died("exit code " + code);
		go.run(await WebAssembly.instantiate(module, go.importObject));
		if (!dead) {
			self.postMessage({ type: "ready" });
		}
	};

	// reader returns a function that reads a file in slices. It returns errors as text.
	const reader = (file) => {
		const files = new FileReaderSync();
		return (offset, length) => {
			try {
				return new Uint8Array(files.readAsArrayBuffer(file.slice(offset, offset + length)));
			} catch (e) {
				return e.name === "NotReadableError" ? "the file was changed or removed while it was read" : String(e);
			}
		};
	};

	const opened = ({ file, name }) => ({ name, size: file.size, read: reader(file) });

	// run handles a message.
	const run = async (m) => {
		switch (m.type) {
			case "start":
				await start(m.wasm);
				break;
			case "open":
				answer(m.id, globalThis.gamedissect.open(m.files.map(opened), JSON.stringify(m.options || {})));
				break;
			case "good":
				answer(m.id, globalThis.gamedissect.good(opened(m)));
				break;
			case "call":
				answer(m.id, globalThis.gamedissect.call(m.op, JSON.stringify(m.request || {}), m.of || 0));
				break;
		}
	};

	const answer = (id, text) => {
		if (!dead) { // after the engine has died, text is undefined
			self.postMessage({ id, answer: JSON.parse(text) });
		}
	};

	let last = Promise.resolve();
	self.onmessage = (event) => {
		last = last.then(() => dead || run(event.data)).catch((e) => died(String(e)));
	};
})();
