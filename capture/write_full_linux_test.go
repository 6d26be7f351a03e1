package capture_test

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const limited = "GAMEDISSECT_TEST_LIMITED"

// The system stops a file at a size inside a packet, for which a process needs
// a limit of its own.
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

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("no small disk can be mounted: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
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
