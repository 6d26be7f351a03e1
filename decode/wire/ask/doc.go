// Package ask pairs questions with their answers.
//
// Every protocol in which one side asks and the other answers has the same cases: an answer is the first
// one to its question, comes again, comes too late, or answers nothing that was asked; a question gets no
// answer at all; and where the capture begins or bytes were lost, the question may have been asked unseen.
// A List keeps the questions of one end to another and tells these cases apart. It is a small value for its
// owner to keep; the zero value is ready for use. A tracker's Rules say how long answers are in time
// and how much is remembered, and a function says how well an answer fits a question. The example
// "Tracker" is a whole tracker. Pairs are one as data, for protocols in which an answer names its question, or none but
// the first that waits.
//
// Times are those of packets, in nanoseconds. They may be anything and may go back.
//
// What may not enter: any protocol, and in a List endpoints and what a finding says.
//
// Other programs find no promise here, see docs/api.md.
package ask
