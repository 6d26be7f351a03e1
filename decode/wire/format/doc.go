// Package format writes values as people read them: numbers, addresses, opaque bytes, and texts of
// strangers, of which no byte reaches the output unescaped. It serves trees, lines and JSON alike.
//
// What may not enter: layout, colours and widths, and any protocol.
//
// Other programs find no promise here, see docs/api.md.
package format
