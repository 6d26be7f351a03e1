// Package print writes annotated trees as text: a line a field, with its findings where the bytes are.
//
// What may not enter: where the text goes, how wide that is, and any protocol.
package print
