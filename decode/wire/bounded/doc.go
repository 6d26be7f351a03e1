// Package bounded has containers that hold no more than they are allowed to: what strangers can make many
// of is kept in these.
//
// What may not enter: what is kept, and any protocol.
package bounded
