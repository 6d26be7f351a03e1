// Package format writes values for people: numbers, addresses, opaque bytes, and untrusted texts, which it
// escapes. It serves trees, lines and JSON alike.
//
// What may not enter: layout, colours and widths, and any protocol.
//
// Other programs find no promise here, see docs/api.md.
package format
