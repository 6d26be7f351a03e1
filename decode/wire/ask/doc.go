// Package ask pairs questions with their answers.
//
// Every protocol in which one side asks and the other answers has the same cases. An answer is the first one to its
// question, is repeated, comes too late, or has no question. A question may remain without an answer. If the capture
// began later or lost bytes, it may lack the question. A List keeps the questions from one endpoint to another and
// distinguishes these cases. It is a small value, and its zero value is ready for use. The Rules of a tracker say how
// long answers are in time and how many questions are kept, and a function returns how well an answer fits a question.
// The example "Tracker" is a whole tracker. Pairs describes a tracker as data. It is for protocols in which an answer
// identifies its question or answers the first waiting one.
//
// Times are packet times in nanoseconds. They may have any value and may go back.
//
// This package must not know any protocol. A List must not know endpoints or the texts of findings.
//
// Other programs must not rely on it, see docs/api.md.
package ask
