// Package bounded has containers with bounded memory, for data that hostile traffic can create in any amount.
//
// A Budget bounds the bytes of several containers together. It drops the least recently used entry to make room, but
// only in Budget.Turn, between two messages. Until then, values stay valid. Budget.Forgotten counts the dropped
// entries. An LRU keeps values by key, and Deadlines orders them by the time at which they are due. Other containers
// can join a budget as a Keeper.
//
// This package must not know any protocol.
//
// Other programs may rely on its exported names, see docs/api.md.
package bounded
