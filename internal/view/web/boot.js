// The document is a single file that contains all modules. An import map names them "gamedissect/NAME".
{
	const imports = {};
	for (const block of document.querySelectorAll("script[data-module]")) {
		const name = "gamedissect/" + block.dataset.module;
		const text = block.textContent + "\n//# sourceURL=" + name + ".js\n";
		imports[name] = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
	}
	const map = document.createElement("script");
	map.type = "importmap";
	map.nonce = document.currentScript.nonce;
	map.textContent = JSON.stringify({ imports });
	document.head.append(map);
	import("gamedissect/main");
}
