package sample

import "testing"

func TestFileWords(t *testing.T) {
	for name, want := range map[string]string{
		"MasterQuery": "master-query", "HTTPRequest": "http-request", "MsgUDPLinkRequest": "msg-udp-link-request",
		"Unknown": "unknown", "a/b": "a-b", "": "",
	} {
		if got := fileWords(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
