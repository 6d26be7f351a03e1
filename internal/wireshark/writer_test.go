package wireshark

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

const captures = "../../testdata/pcap/"

// written dissects frames, and returns the dissection file and the expected content of each frame.
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

// checkWritten writes the dissection file of some frames, reads it back, and compares the content.
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

// The dissection file of a capture has everything that an engine finds, each result in its frame.
func TestWriter(t *testing.T) {
	for _, name := range testcapture.Names(t, captures+"*") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			d := checkWritten(t, testcapture.Frames(t, name))
			if d.ports == 0 {
				t.Error("no port is known")
			}
		})
	}
}

// A dissection file without frames has only the tables.
func TestWriterOfNothing(t *testing.T) {
	file, _ := written(t, nil)
	d := readDissection(t, file)
	if len(d.frames) != 0 || d.ports != 0 || d.protocols <= len(layers.All()) || d.fields <= len(general) || d.rules <= len(decode.Rules()) {
		t.Errorf("%+v", *d)
	}
	tables := NewWriter(io.Discard, layers.All()).tables()
	if got := file[len(magic) : len(file)-3*8-len(magic)]; !bytes.Equal(got, tables) {
		t.Errorf("%d bytes in addition to the tables", len(got)-len(tables))
	}
}

// FuzzWriter changes the beginnings of captures. A change consists of a frame, an offset, and a byte. An offset beyond
// the frame's end cuts the frame.
func FuzzWriter(f *testing.F) {
	var all [][]decode.Frame
	for i, name := range []string{
		"bloodmasters-real.frag-lost.pcap", "bloodmasters-versions.pcapng", "bz17-c-violations.pcap", "bz17-var-overlap.pcap",
		"bz24-admin.pcap", "iceball-http.pcap", "iceball-real-session.frag.pcap", "tribes-list-40.pcap", "tribes-verify-keys.pcap",
	} {
		frames := testcapture.Frames(f, captures+name)
		all = append(all, frames[:min(len(frames), 40)])
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
