// Package bounded has containers with bounded memory, for whatever hostile traffic can create in any number.
//
// A Budget bounds the bytes of several containers together. The least recently used entry makes room for new ones,
// but only at Turn, between two messages: until then values stay where they are. Budget.Forgotten counts what was
// forgotten. An LRU keeps values by keys, Deadlines by the time at which they fall due; others can join a budget as
// a Keeper.
//
// What may not enter: knowledge of the values, and any protocol.
//
// Other programs may rely on what it exports, see docs/api.md.
package bounded
