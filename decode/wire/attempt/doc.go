// Package attempt follows attempts: what one end tries to get from another, and the outcome.
//
// A protocol describes its kinds of attempts as data, see wire.AttemptKind. Its tracker reports to an Account that an
// attempt begins, reaches a step, or is refused. The Account decides everything else in the same way for all kinds:
// which end is silent for too long, which end closed the connection, and what is unknown because the capture lacks it.
// It reports table rows and events as values, and outcomes as attempts, see wire.Reporter. In this package the asker is
// the end that tries, and the server is the other end.
//
// The absence of a message is not proof. It shows nothing about a program if the capture lacks bytes of the connection,
// or if nothing shows that the capture contains messages from the other end. Then the outcome is wire.NotKnown. A
// message in the capture is proof, even if others are missing: a refusal, a FIN, an ICMP message.
//
// Other programs must not rely on it, see docs/api.md.
package attempt
