// Package bounded has containers with bounded memory, for data that hostile traffic can create in any number.
//
// A Budget bounds the bytes of several containers together. The least recently used entry is dropped to make room, but
// only at Turn, between two messages: until then values stay valid. Budget.Forgotten counts the dropped entries. An LRU
// keeps values by key, and Deadlines orders them by the time at which they are due. Other containers can join a budget
// as a Keeper.
//
// This package must not know the values or any protocol.
//
// Other programs may rely on its exported names, see docs/api.md.
package bounded
