package wireshark

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/layers"
)

const captures = "../../testdata/pcap/"

// captureNames lists all captures.
func captureNames(t testing.TB) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(captures)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); !strings.HasSuffix(name, ".golden") && !strings.HasSuffix(name, ".expected.jsonl.gz") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		t.Fatal("there are no captures")
	}
	return names
}

// framesOf reads the first frames of a capture.
func framesOf(t testing.TB, name string, most int) (list []decode.Frame) {
	t.Helper()
	file, err := capture.Open(filepath.Join(captures, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var p capture.Packet
	for len(list) < most {
		if err := file.Next(&p); err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, decode.Frame{Data: bytes.Clone(p.Data), Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number})
	}
	return list
}

// written dissects frames, and gives the file that is written of them and what has to stand in each frame.
func written(t testing.TB, list []decode.Frame) (file []byte, want map[int]*readFrame) {
	t.Helper()
	var out bytes.Buffer
	var history *filter.History
	w := NewWriter(&out, layers.All())
	want = make(map[int]*readFrame)
	in := func(number int) *readFrame {
		if want[number] == nil {
			want[number] = new(readFrame)
		}
		return want[number]
	}
	e := decode.New(decode.Options{
		Protocols: layers.All(), Packet: w.Carried, Memory: 1 << 20,
		Message: func(m *decode.Message) {
			x := history.Message(m)
			w.Message(m, x)
			f := in(m.Frame)
			f.messages = append(f.messages, readMessage{protocol: w.numbers[m.Protocol], label: m.Name, size: uint32(len(m.Data)), data: string(m.Data), findings: len(m.Findings)})
		},
		Finding: func(f *wire.TrafficFinding) {
			w.Finding(f)
			if f.Frame > 0 {
				in(f.Frame).findings++
			}
		},
		Value: func(v *wire.Value) { history.Value(v) },
	})
	history = filter.NewHistory(e.Part())
	for i := range list {
		history.Packet(list[i].Time)
		w.Packet(&list[i])
		e.Frame(&list[i])
	}
	e.Close()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), want
}

// checkWritten writes the dissection file of some frames, reads it, and compares what is in it.
func checkWritten(t testing.TB, list []decode.Frame) *dissection {
	t.Helper()
	file, wanted := written(t, list)
	d := readDissection(t, file)
	for i := range d.frames {
		got, frame := &d.frames[i], &list[i]
		for _, time := range got.times {
			if time != seconds(frame.Time) && !math.IsNaN(time) {
				t.Fatalf("frame %d has a chunk of another one: %v", i+1, time)
			}
		}
		want, ok := wanted[i+1]
		if !ok {
			want = new(readFrame)
		}
		delete(wanted, i+1)
		if len(got.messages) != len(want.messages) || got.findings != want.findings {
			t.Fatalf("frame %d has %d messages and %d findings, want %d and %d", i+1, len(got.messages), got.findings, len(want.messages), want.findings)
		}
		for j := range got.messages {
			got := &got.messages[j]
			got.label, _, _ = strings.Cut(got.label, "  ")
			if got.offset != outsideFrame {
				if uint64(got.offset)+uint64(got.size) > uint64(len(frame.Data)) {
					t.Fatalf("message %d of frame %d is not in it", j, i+1)
				}
				got.data = string(frame.Data[got.offset:][:got.size])
			}
			if got.offset = 0; *got != want.messages[j] {
				t.Fatalf("message %d of frame %d (-want +got):\n%s", j, i+1, cmp.Diff(want.messages[j], *got, cmp.AllowUnexported(readMessage{})))
			}
		}
	}
	if len(wanted) > 0 {
		t.Fatalf("%d frames are not in the index", len(wanted))
	}
	return d
}

// All that an engine finds in a capture stands in its dissection file, each by its frame.
func TestWriter(t *testing.T) {
	for _, name := range captureNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := framesOf(t, name, math.MaxInt)
			d := checkWritten(t, list)
			if d.ports == 0 {
				t.Error("no port is known")
			}
		})
	}
}

// A dissection file about no frame has the tables alone.
func TestWriterOfNothing(t *testing.T) {
	file, _ := written(t, nil)
	d := readDissection(t, file)
	if len(d.frames) != 0 || d.ports != 0 || d.protocols <= len(layers.All()) || d.fields <= len(general) || d.rules <= len(decode.Rules()) {
		t.Errorf("%+v", *d)
	}
	tables := NewWriter(io.Discard, layers.All()).tables()
	if got := file[len(magic) : len(file)-3*8-len(magic)]; !bytes.Equal(got, tables) {
		t.Errorf("%d bytes besides the tables", len(got)-len(tables))
	}
}

// FuzzWriter changes the beginnings of captures. A change is the frame, where in it, and the byte there; what is behind
// the frame's end cuts it.
func FuzzWriter(f *testing.F) {
	var all [][]decode.Frame
	for i, name := range []string{
		"bloodmasters-real.frag-lost.pcap", "bloodmasters-versions.pcapng", "bz17-c-violations.pcap", "bz17-var-overlap.pcap",
		"bz24-admin.pcap", "iceball-http.pcap", "iceball-real-session.frag.pcap", "tribes-list-40.pcap", "tribes-verify-keys.pcap",
	} {
		all = append(all, framesOf(f, name, 40))
		f.Add(uint8(i), []byte{})
		f.Add(uint8(i), []byte{3, 0, 45, 9, 20, 0, 60, 0xff, 40, 0xff, 0, 50})
	}
	f.Fuzz(func(t *testing.T, which uint8, changes []byte) {
		var list []decode.Frame
		for _, frame := range all[int(which)%len(all)] {
			frame.Data = bytes.Clone(frame.Data)
			list = append(list, frame)
		}
		for ; len(changes) >= 4; changes = changes[4:] {
			data := &list[int(changes[0])%len(list)].Data
			if at := int(binary.BigEndian.Uint16(changes[1:])); at < len(*data) {
				(*data)[at] = changes[3]
			} else {
				*data = (*data)[:min(len(*data), int(changes[3]))]
			}
		}
		checkWritten(t, list)
	})
}
