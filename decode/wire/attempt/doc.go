// Package attempt keeps account of attempts: what one end wants of another, and what became of it.
//
// A protocol describes its kinds of attempts as data, see wire.AttemptKind. Its tracker reports what it reads to an
// Account: that an attempt begins, reaches a step, is refused. The Account decides the rest in the same way for all
// kinds: who is silent for too long, who closed the connection, and what is unknown because the capture lacks it. It
// reports rows of tables and events as values, and outcomes as attempts, see wire.Reporter.
//
// Absence is no proof. A missing message says nothing about a program if the capture lacks bytes of the connection, or
// if nothing shows that the other end could be heard. Then the outcome is wire.NotKnown. A message that did come is
// proof, whatever the capture lacks: a refusal, a FIN, an ICMP message.
//
// Other programs must not rely on it, see docs/api.md.
package attempt
