// menu.js is the menu of a message or a field.

// messageMenu opens the menu of a row of the list.
export function messageMenu(app, row, column, place, from) {}

// fieldMenu opens the menu of a field.
export function fieldMenu(app, message, node, place, from) {}
