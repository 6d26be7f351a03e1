package wireshark_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/wireshark"
)

// question returns a question about a packet of three bytes. The question says that the packet has size bytes.
func question(frame, size uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, frame)
	b = binary.LittleEndian.AppendUint32(b, 1)
	b = binary.LittleEndian.AppendUint32(b, size)
	b = binary.LittleEndian.AppendUint32(b, size)
	return append(binary.LittleEndian.AppendUint64(b, 0), "abc"...)
}

// Questions must be in the order of the capture. Otherwise the program would have to remember everything about all
// packets in between.
func TestReadQuestion(t *testing.T) {
	for _, test := range []struct {
		frame, size uint32
		want        error
	}{
		{1, 3, nil}, {5, 3, nil}, {1 << 22, 3, nil}, {1<<22 + 1, 3, wireshark.ErrQuestion}, {0, 3, wireshark.ErrQuestion},
		{1<<32 - 1, 3, wireshark.ErrQuestion}, {1, 4, io.ErrUnexpectedEOF}, {1, 1 << 31, wireshark.ErrQuestion},
	} {
		var f decode.Frame
		_, err := wireshark.ReadQuestion(bytes.NewReader(question(test.frame, test.size)), &f, nil)
		if !errors.Is(err, test.want) || err == nil && (f.Number != int(test.frame) || string(f.Data) != "abc") {
			t.Errorf("frame %d, %d bytes: %v, want %v; %+v", test.frame, test.size, err, test.want, f)
		}
	}
	f := decode.Frame{Number: 7}
	if _, err := wireshark.ReadQuestion(bytes.NewReader(question(7, 3)), &f, nil); !errors.Is(err, wireshark.ErrQuestion) {
		t.Errorf("the same packet again: %v", err)
	}
}

// FuzzReadQuestion reads questions until there are no more.
func FuzzReadQuestion(f *testing.F) {
	f.Add(append(question(1, 3), question(2, 3)...))
	f.Add(question(1, 1<<20))
	f.Fuzz(func(t *testing.T, b []byte) {
		var frame decode.Frame
		var buffer []byte
		r := bytes.NewReader(b)
		for last := 0; ; last = frame.Number {
			var err error
			if buffer, err = wireshark.ReadQuestion(r, &frame, buffer); err != nil {
				return
			}
			if frame.Number <= last || len(frame.Data) > len(b) {
				t.Fatalf("%+v", frame)
			}
		}
	})
}
