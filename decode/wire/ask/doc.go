// Package ask pairs questions with their answers.
//
// Every protocol in which one side asks and the other answers has the same cases. An answer is the first one to its
// question, is repeated, comes too late, or has no question. A question may remain without an answer. The capture may
// lack a question, because it began after the question or bytes are missing. A List keeps the questions from one
// endpoint to another and distinguishes these cases. Its zero value is ready for use. Rules say how long to wait for an
// answer and how many questions to keep. A function of the caller returns how well an answer fits a question. The
// example "Tracker" is a complete tracker.
//
// Pairs makes a complete tracker from a description. It is for protocols in which an answer identifies its question or
// belongs to the oldest open one.
//
// Times are packet times in nanoseconds. They may have any value and may go back.
//
// This package must not know any protocol. A List must not know endpoints or the texts of findings.
//
// Other programs must not rely on it, see docs/api.md.
package ask
