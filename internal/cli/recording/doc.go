// Package recording writes packets to captures: those of a run, with findings or messages as comments, and anonymized
// ones.
package recording
