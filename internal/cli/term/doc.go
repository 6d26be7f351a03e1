// Package term writes text for people: to streams, which get it in large pieces, and to terminals, whose width, colours
// and screen it knows.
package term
