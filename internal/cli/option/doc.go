// Package option has what commands share about their flags: values that several take, completion, errors, and the
// choice of names by patterns.
package option
