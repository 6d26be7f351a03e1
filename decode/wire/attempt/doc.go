// Package attempt follows attempts, in which one end, the asker, tries to get something from the other end, the server.
//
// A protocol describes its kinds of attempts as data, see wire.AttemptKind. Its tracker reports to an Account that an
// attempt begins, reaches a step, or is refused. The Account decides everything else in the same way for all kinds:
// which end is silent for too long, which end closed the connection, and what is unknown because the capture lacks it.
// It reports table rows and events as values, and outcomes as attempts, see wire.Reporter.
//
// A message that the capture lacks may have been sent. The outcome is therefore wire.NotKnown if the capture lacks
// bytes of the connection, or if nothing shows that the capture contains messages from the other end. A message in the
// capture, such as a refusal, a FIN or an ICMP message, decides the outcome even if other messages are missing.
//
// Other programs must not rely on it, see docs/api.md.
package attempt
