package capture_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/capture"
)

func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "two.pcap.gz")
	file := gz(two(micro(little)))
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := capture.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readAll(f)
	if err != nil || len(got) != 2 || got[1].File != name || f.Name() != name || f.Size() != int64(len(file)) || f.Offset() != f.Size() {
		t.Errorf("%d packets, %v, %d of %d bytes", len(got), err, f.Offset(), f.Size())
	}
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := f.Next(new(capture.Packet)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestOpenFailures(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	secret := filepath.Join(dir, "secret")
	if err := errors.Join(os.WriteFile(empty, nil, 0o600), os.WriteFile(secret, two(micro(little)), 0)); err != nil {
		t.Fatal(err)
	}
	type failure struct {
		name, reason string
		is           error
	}
	failures := []failure{
		{dir, "is a directory; name the capture files in it", fs.ErrInvalid},
		{empty, "is empty", nil},
		{filepath.Join(dir, "missing"), "", fs.ErrNotExist}, // "": the system's error text
	}
	if f, err := os.Open(secret); err == nil { // root may read every file
		f.Close()
	} else {
		failures = append(failures, failure{secret, "", fs.ErrPermission})
	}
	for _, v := range failures {
		_, err := capture.Open(v.name)
		want := v.name + ": " + v.reason
		if v.reason == "" {
			var path *fs.PathError
			if !errors.As(err, &path) {
				t.Fatalf("no path error: %v", err)
			}
			want += "cannot be opened: " + path.Err.Error()
		}
		if err == nil || err.Error() != want || v.is != nil && !errors.Is(err, v.is) || fault(err).File != v.name {
			t.Errorf("line is\n%v\nwant\n%s", err, want)
		}
	}
}

// setStdin makes a file the standard input of this test.
func setStdin(t *testing.T, f *os.File) {
	old := os.Stdin
	os.Stdin = f
	t.Cleanup(func() { os.Stdin = old; f.Close() })
}

func TestStandardInput(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	setStdin(t, r)
	f := micro(little)
	var got capture.Packet
	write(w, f.header()) // a writer that stays open: the reader must not wait for more
	in, err := capture.Open("-")
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint32(3) {
		write(w, f.packet(i, 0, "live"))
		if err := in.Next(&got); err != nil || got.Number != int(i)+1 || got.File != "-" {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	write(w, []byte("rest"))
	w.Close()
	const want = "standard input: the file ends inside a record header: 4 of 16 bytes are there (at byte 84, after packet 3)"
	if err := in.Next(&got); err == nil || err.Error() != want {
		t.Errorf("line is\n%v\nwant\n%s", err, want)
	}
	if err := in.Close(); err != nil || in.Size() != 0 {
		t.Errorf("%v, size %d", err, in.Size())
	}
	if _, err := r.Stat(); err != nil {
		t.Errorf("standard input was closed: %v", err)
	}
}

func TestStandardInputFromFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "two.pcap")
	file := two(micro(little))
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	setStdin(t, f)
	in, err := capture.Open("-")
	if err != nil || in.Size() != int64(len(file)) {
		t.Errorf("%v, size %d", err, in.Size())
	}
}

// Close does not wait for a decompressor that reads frames without content.
func TestCloseDoesNotWait(t *testing.T) {
	name := filepath.Join(t.TempDir(), "sparse.pcap.zst")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	write(file, zst(two(micro(little))))
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		t.Fatal(err)
	}
	const frames, length = 32, 1<<32 - 1
	for range frames {
		if _, err := file.WriteAt([]byte("\x50\x2a\x4d\x18\xff\xff\xff\xff"), size); err != nil {
			t.Skip(err)
		}
		size += 8 + length
	}
	if err := file.Truncate(size); err != nil {
		t.Skip(err)
	}
	f, err := capture.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	var p capture.Packet
	if err := errors.Join(f.Next(&p), f.Next(&p)); err != nil {
		t.Fatal(err)
	}
	closed := make(chan error, 1)
	go func() { closed <- f.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("Close waits")
	}
}
