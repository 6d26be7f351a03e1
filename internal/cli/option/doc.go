// Package option has what commands share about their flags: values that several take, completion, errors, the choice of
// names by patterns, and the protocols that the program knows.
package option
