package capture_test

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

const limited = "GAMEDISSECT_TEST_LIMITED"

// The system limits the size of a file, and the limit is inside a packet. Because the limit applies to the whole
// process, the test runs in its own process.
func TestFileSizeLimit(t *testing.T) {
	if name := os.Getenv(limited); name != "" {
		signal.Ignore(syscall.SIGXFSZ)
		const most = 200_001
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			t.Fatal(err)
		}
		e, err := fillUp(name, strings.Contains(name, "each"))
		if err != nil || !errors.Is(e.Err, syscall.EFBIG) || e.Offset > most || e.Offset < most-1100 || !strings.HasSuffix(e.Reason, "writing failed: file too large") {
			t.Errorf("%v\n%v", err, &e)
		}
		return
	}
	for _, base := range []string{"full.pcapng", "full.pcap", "full-each.pcapng"} {
		if out, err := child("TestFileSizeLimit", limited, filepath.Join(t.TempDir(), base)).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// smallMount mounts a file system of the given size.
func smallMount(t *testing.T, size string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("no small disk can be mounted: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func TestFullDisk(t *testing.T) {
	dir := smallMount(t, "256k")
	for _, base := range []string{"full.pcapng", "full.pcap"} {
		name := filepath.Join(dir, base)
		e, err := fillUp(name, false)
		if err != nil || !errors.Is(e.Err, syscall.ENOSPC) || e.File != name || e.Packet < 200 || !strings.HasSuffix(e.Reason, "writing failed: no space left on device") {
			t.Errorf("%v\n%v", err, &e)
		}
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
	}
}

// If the disk has no room for a ring's last file, the Writer removes that file.
func TestRingFullDisk(t *testing.T) {
	for _, format := range []string{"pcap", "pcapng"} {
		dir := smallMount(t, "64k")
		w, err := capture.Create(filepath.Join(dir, "r."+format), capture.WriterOptions{Limits: capture.Limits{Packets: 4}})
		p := capture.Packet{Data: make([]byte, 1000), Length: 1000, LinkType: 1}
		for err == nil {
			err = w.Write(&p)
		}
		if !errors.Is(err, syscall.ENOSPC) || w.Close() != err {
			t.Error(err)
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) < 5 {
			t.Fatal(len(files), err)
		}
		for _, f := range files {
			if info, err := f.Info(); err != nil || info.Size() == 0 {
				t.Error(f.Name(), "is empty", err)
			}
		}
	}
}
