// main.js starts the page. It finds the engine, opens the capture, and reads the capture to its end between the user's
// requests.

import { capture, inside, served } from "gamedissect/ask";
import { App } from "gamedissect/app";
import { openings } from "gamedissect/open";
import { shell } from "gamedissect/shell";

const setup = JSON.parse(document.getElementById("setup").textContent);

// A step of reading is short, so that requests need not wait long.
const step = { bytes: 4 << 20, ms: 25 };

async function start() {
	const app = new App(setup);
	app.filter = setup.filter ?? "";
	if (setup.token) {
		app.engine = served(setup.token);
		await show(app);
		return;
	}
	const engine = inside();
	const options = { mask_secrets: setup.mask_secrets, document: setup.document, decode_as: setup.decode_as };
	const own = capture();
	if (own) {
		app.engine = await (await engine).open([{ file: own, name: setup.name }], options);
		await show(app);
		return;
	}
	openings(async (files) => {
		app.engine = await (await engine).open(files.map((file) => ({ file, name: file.name })), options);
		await show(app);
	});
}

async function show(app) {
	app.state = await app.ask("step", { ...step, ms: 10 });
	app.setup.name ||= app.state.name;
	document.title = app.state.name + " – gamedissect";
	shell(app);
	await app.follow(location.hash || beginning(app)).catch((error) => app.complain(error));
	addEventListener("hashchange", () => {
		if (location.hash !== app.link()) {
			app.follow(location.hash).catch((error) => app.complain(error));
		}
	});
	app.on("row filter view range", () => {
		if (location.hash !== app.link()) {
			history.replaceState(null, "", app.link());
		}
	});
	read(app);
}

// read reads the capture to its end. If that fails, the page keeps the notes and what was read until then.
async function read(app) {
	try {
		while (!app.state.done) {
			app.state = await app.ask("step", step, { later: true });
			app.tell("state");
		}
	} catch (error) {
		app.complain(error);
	}
}

// beginning returns the place at which the page opens without a link: the first note, which is usually why the page was
// sent, or else the overview.
function beginning(app) {
	const noted = [...app.notes.keys()];
	const row = noted.length > 0 ? Math.min(...noted) : -1;
	return app.link({ row, view: row >= 0 || app.filter !== "" ? "messages" : "overview" });
}

start().catch((error) => {
	document.body.replaceChildren();
	const text = document.createElement("p");
	text.setAttribute("role", "alert");
	text.className = "fatal";
	text.textContent = error.message;
	document.body.append(text);
});
