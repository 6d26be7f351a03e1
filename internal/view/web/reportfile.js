// reportfile.js writes this document again, with the current notes. It uses only data that the page already has: the
// texts of the page's blocks, the engine, and the capture. It loads nothing.

import { toBase64 } from "gamedissect/base64";

// These parts of the document are removed when the page is built.
const head = [...document.head.children].filter((node) => node.type !== "importmap");
const blank = document.querySelectorAll("#first, body > noscript");
const modules = [...document.querySelectorAll("script[data-module], #worker")];
const boot = document.querySelector("body > script[nonce]");

const title = document.getElementById("capture") ? document.title : ""; // "" if the page opens a capture later

const holding = {}; // Blobs by the name of a block

// hold stores the bytes of a block, "engine" or "capture".
export function hold(name, blob) {
	holding[name] = blob;
}

// canWriteReport reports whether the page has all parts of a report.
export function canWriteReport() {
	return Boolean(holding.engine && holding.capture);
}

const piece = 3 << 18; // bytes at a time; a multiple of 3, because base64 encodes three bytes as four letters

// writeReport returns the document as a Blob, with another capture if one is given. While it is working, it calls
// progress(fraction).
export async function writeReport({ anonymize, ...setup }, { capture, signal, progress }) {
	const held = { ...holding, capture: capture ?? holding.capture };
	const parts = ["<!doctype html>\n<html lang=\"en\">\n<head>\n"];
	for (const node of head) {
		parts.push(element(node, node.localName === "title" ? !anonymize && title || setup.name + " – gamedissect" : node.textContent));
	}
	const told = JSON.stringify(setup).replace(/[<>&\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
	parts.push("</head>\n<body>\n", ...[...blank].map((node) => element(node, node.textContent)),
		block({ type: "application/json", id: "setup" }, [told]));
	for (const node of modules) {
		parts.push(element(node, node.textContent));
	}
	const all = held.engine.size + held.capture.size;
	let done = 0;
	for (const name of ["engine", "capture"]) {
		const text = [];
		const blob = held[name];
		for (let at = 0; at < blob.size; at += piece) {
			signal.throwIfAborted();
			const bytes = new Uint8Array(await blob.slice(at, at + piece).arrayBuffer());
			text.push(new Blob([toBase64(bytes)]));
			progress((done += bytes.length) / all);
		}
		parts.push(...block({ type: "text/plain", id: name }, text));
	}
	parts.push(element(boot, boot.textContent), "</body>\n</html>\n");
	return new Blob(parts.flat(), { type: "text/html" });
}

const empty = new Set(["meta", "link"]);
const raw = new Set(["script", "style"]);

// element writes an element that contains a text.
function element(node, text) {
	const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, name === "nonce" ? node.nonce : value]));
	const opening = "<" + node.localName + written(attributes) + ">";
	if (empty.has(node.localName)) {
		return opening + "\n";
	}
	return opening + (raw.has(node.localName) ? text : escaped(text)) + "</" + node.localName + ">\n";
}

// block writes a block of data in pieces.
function block(attributes, pieces) {
	return ["<" + "script" + written(attributes) + ">", ...pieces, "<" + "/script>\n"];
}

function written(attributes) {
	return Object.entries(attributes).map(([name, value]) => " " + name + "=\"" + escaped(value) + "\"").join("");
}

function escaped(text) {
	return text.replace(/[&<>"]/g, (c) => "&#" + c.charCodeAt(0) + ";");
}
