// Package session runs the engine over a source of packets, files or a live capture, and gives sinks what the engine
// finds and the user's options select. It has the options of input, packets, reading, selection and memory.
package session
