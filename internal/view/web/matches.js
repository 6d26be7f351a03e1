// matches.js makes the engine apply the filter. It also counts the matches.

// matches keeps app.matches = {total, examined, of, done} current, and sends the event "matches".
export function matches(app) {
	let text = null;
	let work = null;
	let changed = false; // it is not yet known whether the selected message matches
	app.matches = { total: 0, examined: 0, of: 0, done: false };

	function tell(answer) {
		app.matches = answer;
		app.tell("matches");
		if (changed && (answer.examined > app.row || answer.done)) {
			changed = false;
			letGo().catch((error) => app.complain(error));
		}
	}

	// letGo deselects the selected message if that message does not match.
	async function letGo() {
		const { row } = app;
		if (row >= 0 && row < app.state.rows && text !== "") {
			const { rows } = await app.ask("rows", { filter: text, around: row, count: 1 });
			if (row === app.row && !rows.some((one) => one.row === row)) {
				app.look(-1);
			}
		}
	}

	function all() {
		const { rows, done } = app.state;
		tell({ total: rows, examined: rows, of: rows, done });
	}

	async function examine() {
		const { signal } = work = new AbortController();
		try {
			await app.whole("filter", { text, ms: 25 }, {
				signal, onPart: ({ matches: total, examined, of, done }) => {
					if (!signal.aborted) {
						tell({ total, examined, of, done: done && app.state.done });
					}
				},
			});
		} catch (error) {
			app.complain(error);
			return; // a retry would fail, too, so work stays set until the filter changes
		}
		if (!signal.aborted) {
			work = null;
			if (!app.matches.done && app.matches.examined < app.state.rows) {
				examine(); // more was read in the meantime
			}
		}
	}

	app.on("filter range once", () => {
		if (text === app.during()) {
			return;
		}
		text = app.during();
		changed = true;
		work?.abort();
		work = null;
		if (text === "") {
			all();
		} else {
			tell({ total: 0, examined: 0, of: app.state.rows, done: false });
			examine();
		}
	});
	app.addEventListener("state", () => {
		if (text === "") {
			all();
		} else if (!work && app.matches.examined < app.state.rows) {
			examine();
		} else if (!work && app.state.done && !app.matches.done) {
			tell({ ...app.matches, done: true });
		}
	});
}
