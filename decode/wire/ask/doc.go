// Package ask pairs questions with their answers.
//
// Every protocol in which one side asks and the other answers has the same cases. An answer is the first one to its
// question, comes again, comes too late, or answers nothing that was asked. A question may get no answer at all. If the
// capture begins or bytes were lost, the question may have been asked unseen. A List keeps the questions of one end to
// another and distinguishes these cases. It is a small value for its owner to keep; the zero value is ready for use. A
// tracker's Rules say how long answers are in time and how many questions are kept, and a function returns how well an
// answer fits a question. The example "Tracker" is a whole tracker. Pairs describes a tracker as data. It is for
// protocols in which an answer names its question, or answers the first one that waits.
//
// Times are those of packets, in nanoseconds. They may be anything and may go back.
//
// This package must not know any protocol. A List must not know endpoints or the texts of findings.
//
// Other programs must not rely on it, see docs/api.md.
package ask
