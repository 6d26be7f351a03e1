package capture_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

var errFull = errors.New("the disk is full")

// smallDisk is a writer that fails after room bytes.
type smallDisk struct {
	bytes.Buffer
	room int
	mute bool // an incomplete write returns no error
}

func (s *smallDisk) Write(b []byte) (int, error) {
	n := min(len(b), s.room)
	s.room -= n
	write(&s.Buffer, b[:n])
	if n < len(b) && !s.mute {
		return n, errFull
	}
	return n, nil
}

// Wherever the disk becomes full, the error says how many bytes and packets can be read, and later calls return the
// same error.
func TestWriteFails(t *testing.T) {
	p := capture.Packet{Data: []byte("some data"), Length: 9, LinkType: 1}
	for _, format := range []string{"pcap", "pcapng"} {
		for room := 0; room < 700; room += 3 {
			disk := smallDisk{room: room, mute: room%2 == 1}
			w, err := capture.NewWriter(&disk, "disk", capture.WriterOptions{Format: format})
			for i := 0; i < 30 && err == nil; i++ {
				if err = w.Write(&p); err == nil && i%3 == 2 {
					err = w.Flush()
				}
			}
			e := fault(err)
			if !errors.Is(err, errFull) && (!disk.mute || !errors.Is(err, io.ErrShortWrite)) || e.File != "disk" || !strings.HasPrefix(e.Reason, "writing failed: ") {
				t.Fatalf("room for %d: %v", room, err)
			}
			if w != nil && (w.Write(&p) != err || w.Flush() != err || w.Statistics(0, capture.InterfaceStatistics{}) != err || w.Close() != err || w.Close() != nil) {
				t.Errorf("room for %d: later calls return another error", room)
			}
			if part := strings.HasSuffix(e.Reason, "incomplete record"); part != (int64(disk.Len()) > e.Offset) || e.Offset > int64(disk.Len()) {
				t.Errorf("room for %d, %d bytes written: %v", room, disk.Len(), err)
			}
			got, bad := read(disk.Bytes()[:e.Offset])
			if e.Offset > 0 && bad != nil || len(got) != e.Packet {
				t.Errorf("room for %d: %d packets, %v\n%v", room, len(got), bad, err)
			}
			if more, _ := read(disk.Bytes()); len(more) != len(got) {
				t.Errorf("room for %d: %d packets, but the error says %d", room, len(more), e.Packet)
			}
		}
	}
}

func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	_, err := capture.Create("/dev/full", capture.WriterOptions{})
	if err == nil || err.Error() != "/dev/full: writing failed: no space left on device; the file ends with an incomplete record" &&
		err.Error() != "/dev/full: writing failed: no space left on device" {
		t.Error(err)
	}
}

// fillUp writes to a file until the disk is full, and compares what the file contains with the error.
func fillUp(name string, each bool) (capture.Error, error) {
	w, err := capture.Create(name, capture.WriterOptions{Each: each})
	if err != nil {
		return capture.Error{}, err
	}
	p := capture.Packet{Data: bytes.Repeat([]byte("data"), 251), Length: 1004, LinkType: 1}
	for err == nil {
		err = w.Write(&p)
	}
	if again := w.Close(); again != err {
		return capture.Error{}, errors.Join(errors.New("Close returns another error"), again, err)
	}
	f, failed := capture.Open(name)
	if failed != nil {
		return capture.Error{}, failed
	}
	defer f.Close()
	got, cut := readAll(f)
	e := fault(err)
	if cut != nil || len(got) != e.Packet || f.Size() != e.Offset || len(got) == 0 {
		return e, errors.Join(errors.New("the file's contents differ from the error"), err, cut)
	}
	return e, nil
}

// Data that was in a file before the Writer began to append is preserved.
func TestTakeBackWhenAppending(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(name, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	w, err := capture.NewWriter(f, name, capture.WriterOptions{})
	if err := errors.Join(err, w.Write(&capture.Packet{Data: []byte("x"), LinkType: 1}), w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	rest, ok := bytes.CutPrefix(b, []byte("before"))
	if got, bad := read(rest); err != nil || !ok || bad != nil || len(got) != 1 {
		t.Errorf("%v, %v, %v, %d packets", err, ok, bad, len(got))
	}
}
