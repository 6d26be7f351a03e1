// Package serve answers HTTP requests: those of Prometheus for what a run counts, and those of a browser for the page
// of a capture, which it also writes, with the capture, as one file.
package serve
