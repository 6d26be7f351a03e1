package decode

import (
	"bytes"
	"slices"
)

// speech is the protocol of a stream that belongs to no game, as its first bytes show.
type speech uint8

const (
	maybeGame speech = iota
	foreignSpeech
	speaksHTTP
	speaksTLS
	speaksSSH
)

// String returns a protocol's name: "HTTP".
func (f speech) String() string { return [...]string{"", "", "HTTP", "TLS", "SSH"}[f] }

var httpMethods = []string{"GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "CONNECT ", "PATCH "}

// speechOf returns the protocol of a stream that begins with b.
func speechOf(b []byte) speech {
	const hello = 1 // the first message of a TLS handshake follows a header of five bytes
	switch {
	case slices.ContainsFunc(httpMethods, func(m string) bool { return bytes.HasPrefix(b, []byte(m)) }):
		return speaksHTTP
	case len(b) > 5 && b[0] == 0x16 && b[1] == 3 && b[5] == hello:
		return speaksTLS
	case bytes.HasPrefix(b, []byte("SSH-")):
		return speaksSSH
	}
	return foreignSpeech
}
