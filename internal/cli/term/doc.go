// Package term writes text for people: to streams, which get it in large pieces, and to terminals, whose width, colours
// and screen it knows. It lays out tables, and writes them for programs as JSON, CSV and fields.
package term
