// Package bounded has containers with bounded memory, for anything that hostile traffic can create in any number.
//
// A Budget bounds the bytes of several containers together. The least recently used entry makes room for new ones, but
// only at Turn, between two messages: until then values stay valid. Budget.Forgotten counts what was forgotten. An LRU
// keeps values by key, Deadlines by the time at which they fall due; other containers can join a budget as a Keeper.
//
// This package must not know the values or any protocol.
//
// Other programs may rely on its exported names, see docs/api.md.
package bounded
