// actions gives the buttons at the top: links, notes, downloads.
export function actions(app) {
	return [];
}
