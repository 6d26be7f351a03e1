package capture_test

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"

	"github.com/gamedissect/gamedissect/capture"
)

// FuzzReader reads arbitrary bytes. Reading must not panic, and no packet may exceed the limit. Reading the same bytes
// one at a time must return the same packets and the same error.
func FuzzReader(f *testing.F) {
	for _, v := range variants() {
		if len(v.file) < 4096 {
			f.Add(v.file)
		}
	}
	for _, list := range [][]damage{foreignFormats(), pcapDamage(), ngDamage(), packedDamage()} {
		for _, d := range list {
			if len(d.file) < 4096 {
				f.Add(d.file)
			}
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > 64<<10 {
			return
		}
		first, firstErr := digest(t, bytes.NewReader(file))
		again, againErr := digest(t, iotest.OneByteReader(bytes.NewReader(file)))
		if first != again || firstErr != againErr {
			t.Errorf("in one piece %+v %s\nin single bytes %+v %s", first, firstErr, again, againErr)
		}
	})
}

// total adds up the packets of a file.
type total struct {
	packets, bytes, length, comments, sum int
	time                                  int64
}

func digest(t *testing.T, r io.Reader) (sum total, message string) {
	f, err := capture.NewReader(r, "fuzz")
	if err != nil {
		return sum, err.Error()
	}
	defer f.Close()
	const most = 1 << 20 // packets; limits expanding files
	var p capture.Packet
	for sum.packets < most {
		if err := f.Next(&p); err != nil {
			if err != io.EOF && fault(err).Reason == "" {
				t.Errorf("not an *Error: %v", err)
			}
			if err2 := f.Next(&p); err2 != err {
				t.Errorf("first %v, then %v", err, err2)
			}
			return sum, err.Error()
		}
		sum.packets++
		if p.Number != sum.packets || len(p.Data) > 1<<20 || p.Length < len(p.Data) || p.Interface < 0 {
			t.Errorf("packet %d: %d bytes of %d, interface %d, number %d", sum.packets, len(p.Data), p.Length, p.Interface, p.Number)
		}
		sum.bytes += len(p.Data)
		sum.length += p.Length
		sum.comments += len(p.Comments)
		sum.time = sum.time*31 + p.Time
		for _, b := range p.Data {
			sum.sum = sum.sum*31 + int(b)
		}
	}
	return sum, "too many packets"
}
