package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// TestMidStream drops the beginning of captures: what is said behind it is found again, as it was,
// and by the same protocol.
func TestMidStream(t *testing.T) {
	wiretest.WithoutDetector(t)
	for _, name := range []string{"bz24-ctf-capture.pcap", "bz24-admin.pcap", "bz17-c-violations.pcap", "bz17-c-scorelimit.pcap"} {
		whole := sequences(t, filepath.Join(captures, name), 0)
		for part := 1; part < 4; part++ {
			file, first := dropPackets(t, filepath.Join(captures, name), part, 4)
			want := sequences(t, filepath.Join(captures, name), first)
			lost, all := 0, 0
			for who, said := range sequences(t, file, 0) {
				if n := len(whole[who]) - len(said); n < 0 || !slices.Equal(whole[who][n:], said) {
					t.Errorf("%s from packet %d on: %s says %d messages that are not the last it said", name, first, who, len(said))
				}
				lost -= len(said)
			}
			for _, said := range want {
				lost += len(said)
				all += len(said)
			}
			// Of each side some bytes go by until two messages in a row are beyond doubt.
			if lost > 20 && lost*50 > all {
				t.Errorf("%s from packet %d on: %d of %d messages are missing", name, first, lost, all)
			}
		}
	}
}

// sequences lists what each side of each conversation says, from a frame on.
func sequences(t *testing.T, file string, from int) map[string][]string {
	t.Helper()
	out, _, _ := dissect("-r", file, "-T", "json")
	said := make(map[string][]string)
	for line := range strings.Lines(out) {
		var m struct {
			Frame                                  int
			Transport, Src, Dst, Protocol, Message string
			Length                                 int
			Finding                                *struct{}
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if m.Finding == nil && m.Frame > from {
			who := m.Transport + " " + m.Src + " " + m.Dst
			said[who] = append(said[who], fmt.Sprint(m.Protocol, " ", m.Message, " ", m.Length))
		}
	}
	return said
}

// dropPackets writes a capture without the first part of its packets, and tells how many these are.
func dropPackets(t *testing.T, file string, part, of int) (name string, dropped int) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const fileHeader, packetHeader = 24, 16
	var ends []int
	for at := fileHeader; at < len(data); {
		at += packetHeader + int(binary.LittleEndian.Uint32(data[at+8:]))
		ends = append(ends, at)
	}
	if dropped = len(ends) * part / of; dropped == 0 {
		return file, 0
	}
	name = filepath.Join(t.TempDir(), "part.pcap")
	if err := os.WriteFile(name, slices.Concat(data[:fileHeader], data[ends[dropped-1]:]), 0o600); err != nil {
		t.Fatal(err)
	}
	return name, dropped
}
