// Package print writes annotated trees as text: a line a field, with findings at their bytes.
//
// What may not enter: the text's destination and its width, and any protocol.
//
// Other programs find no promise here, see docs/api.md.
package print
