// Package bounded has containers that hold no more than they are allowed to: what strangers can make many
// of is kept in these.
//
// A Budget is how many bytes all of them may take together. Whatever was used longest ago makes room for what is new,
// but only at Turn, between two messages: until then what a container gave stays where it is. What had to be
// forgotten can be asked for. An LRU keeps values by keys, Deadlines what falls due; others can join a budget as a
// Keeper.
//
// What may not enter: what is kept, and any protocol.
//
// Other programs may rely on what it exports, see docs/api.md.
package bounded
