package decode

import (
	"bytes"
	"slices"
)

// speech is the protocol of a stream that does not belong to a game, recognised by its first bytes.
type speech uint8

const (
	maybeGame speech = iota
	foreignSpeech
	speaksHTTP
	speaksTLS
	speaksSSH
)

// String returns the name of the protocol: "HTTP".
func (f speech) String() string { return [...]string{"", "", "HTTP", "TLS", "SSH"}[f] }

var httpMethods = []string{"GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "CONNECT ", "PATCH "}

// speechOf returns the protocol of a stream that begins with b.
func speechOf(b []byte) speech {
	const hello = 1 // the first message of a TLS handshake, after a header of five bytes
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
