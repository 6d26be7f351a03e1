// base64.js converts bytes to base64 and back.

// fromBase64 decodes a text.
export function fromBase64(text) {
	if (Uint8Array.fromBase64) {
		return Uint8Array.fromBase64(text);
	}
	const plain = atob(text);
	const out = new Uint8Array(plain.length);
	for (let i = 0; i < plain.length; i++) {
		out[i] = plain.charCodeAt(i);
	}
	return out;
}

// toBase64 encodes bytes.
export function toBase64(bytes) {
	if (bytes.toBase64) {
		return bytes.toBase64();
	}
	let plain = "";
	for (let i = 0; i < bytes.length; i += 0x2000) {
		plain += String.fromCharCode(...bytes.subarray(i, i + 0x2000));
	}
	return btoa(plain);
}
