package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers"
)

var quiet = log.New(io.Discard, "", 0)

// TestTribesTraffic reads the traffic with gamedissect itself: all of it is Tribes, and nothing
// in it breaks a rule.
func TestTribesTraffic(t *testing.T) {
	const wanted = 3e6
	var file bytes.Buffer
	g := &generated{Wanted: wanted}
	if err := g.record(&file, &inputs[0]); err != nil {
		t.Fatal(err)
	}
	if n := int64(file.Len()); n != g.Bytes || n < wanted || n > wanted+1000 {
		t.Errorf("%d bytes are written, %d are counted, %d are wanted", n, g.Bytes, int64(wanted))
	}
	names := make(map[string]int)
	e := decode.New(decode.Options{Protocols: layers.All(), Message: func(m *decode.Message) {
		names[m.Name]++
		for _, f := range m.Findings {
			if f.Rule.Severity > wire.Note { // real servers give notes, too
				t.Fatalf("packet %d, %s: %s: %s", m.Frame, m.Name, f.Rule.ID, f.Text)
			}
		}
	}})
	feed(t, e, &file)
	c := e.Counters()
	if c.Packets != g.Packets || c.Messages != g.Packets || c.Other != 0 {
		t.Errorf("%d packets, %d messages, %d foreign; want %d messages", c.Packets, c.Messages, c.Other, g.Packets)
	}
	for _, name := range []string{"MasterQuery", "MasterListReply", "Heartbeat", "VerificationRequest", "GameInfoReply"} {
		if names[name] == 0 {
			t.Errorf("there is no %s among %v", name, names)
		}
	}
	if mean := c.Bytes / c.Packets; mean < 280 || mean > 320 {
		t.Errorf("packets have %d bytes on average, want some 300", mean)
	}
}

func feed(t *testing.T, e *decode.Engine, file io.Reader) {
	f, err := capture.NewReader(file, "generated")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var p capture.Packet
	for {
		err := f.Next(&p)
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		e.Frame(&decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number})
	}
}

func TestSameEachTime(t *testing.T) {
	wiretest.WithoutDetector(t)
	for i := range inputs {
		if testing.Short() && inputs[i].pack != nil {
			continue // the same packets as of another one
		}
		var files [2]bytes.Buffer
		for j := range files {
			g := &generated{Wanted: minSize, captures: "../../testdata/pcap"}
			if err := g.record(&files[j], &inputs[i]); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("two runs of %s differ", inputs[i].name)
		}
	}
}

func TestChooseInputs(t *testing.T) {
	for name, want := range map[string]int{"": len(inputs), "tribes": 1, "bzflag-50": 1, "bzflag-50-lost.pcap": 1} {
		if chosen, err := chooseInputs(name); err != nil || len(chosen) != want {
			t.Errorf("--input %q chooses %d, %v; want %d", name, len(chosen), err, want)
		}
	}
}

// counted is an input that counts how often it is generated.
func counted(runs *int) *input {
	return &input{name: "x.pcap", version: 1, generate: func(r *recorder) error {
		*runs++
		for !r.full() {
			if err := r.frame(make([]byte, 1000)); err != nil {
				return err
			}
		}
		return nil
	}}
}

func TestShelf(t *testing.T) {
	runs := 0
	in := counted(&runs)
	s := &store{dir: filepath.Join(t.TempDir(), "new"), size: 500e3, progress: quiet}
	get := func(why string, want int) {
		t.Helper()
		g, err := s.get(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(g.file); err != nil || info.Size() != g.Bytes || g.Packets != (g.Bytes-fileHeader)/1016 {
			t.Errorf("%s: %v, %+v", why, err, g)
		}
		if runs != want {
			t.Errorf("%s: generated %d times, want %d", why, runs, want)
		}
	}
	get("nothing there", 1)
	get("all as wanted", 1)
	s.size *= 2
	get("another size", 2)
	in.version++
	get("another version", 3)
	if err := os.Truncate(filepath.Join(s.dir, in.name), 1000); err != nil {
		t.Fatal(err)
	}
	get("cut", 4)
	if err := os.Remove(filepath.Join(s.dir, in.name)); err != nil {
		t.Fatal(err)
	}
	get("description alone", 5)
}

func TestForeignFileStays(t *testing.T) {
	runs := 0
	in := counted(&runs)
	s := &store{dir: t.TempDir(), size: minSize, progress: quiet}
	file := filepath.Join(s.dir, in.name)
	if err := os.WriteFile(file, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.get(t.Context(), in); err == nil || !strings.Contains(err.Error(), "not made by this program") {
		t.Errorf("the file of somebody else: %v", err)
	}
	if text, err := os.ReadFile(file); string(text) != "precious" {
		t.Errorf("it holds %q now, %v", text, err)
	}
}

func TestFailureLeavesNothing(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	runs := 0
	slow := counted(&runs)
	slow.generate = func(r *recorder) error {
		cancel()
		return counted(&runs).generate(r)
	}
	broken := &input{name: "y.pcap", generate: func(*recorder) error { return errors.New("out of ideas") }}
	s := &store{dir: t.TempDir(), size: 5e6, progress: quiet}
	if _, err := s.get(cancelled, slow); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if _, err := s.get(t.Context(), broken); err == nil || !strings.Contains(err.Error(), "out of ideas") {
		t.Errorf("broken: %v", err)
	}
	left, err := os.ReadDir(s.dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestDiskTooSmall(t *testing.T) {
	s := &store{dir: t.TempDir(), size: 1 << 60, progress: quiet}
	if _, ok := freeSpace(s.dir); !ok {
		t.Skip("this system does not tell how much is free")
	}
	runs := 0
	if _, err := s.get(t.Context(), counted(&runs)); err == nil || !strings.Contains(err.Error(), "does not fit") || runs > 0 {
		t.Errorf("%v after %d runs", err, runs)
	}
}
