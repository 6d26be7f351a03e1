package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// If there is no disk space for the files that Wireshark needs, Wireshark is not started, and one error says so.
func TestWiresharkOnFullDisk(t *testing.T) {
	small, programs := t.TempDir(), t.TempDir()
	clitest.NoError(t, os.WriteFile(filepath.Join(programs, "tshark"), []byte("#!/bin/sh\necho started\n"), 0o755))
	t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
	t.Setenv("TMPDIR", small)
	one, other := filepath.Join(clitest.Captures, "bz24-ctf-capture.pcap"), filepath.Join(clitest.Captures, "tribes-list-40.pcap")
	for _, args := range [][]string{{"-r", one}, {"-r", one, "-r", other}} {
		args = append([]string{"wireshark", "--tshark"}, args...)
		if out, stderr, code := dissect(args...); out != "started\n" || stderr != "" || code != term.ExitDone {
			t.Fatalf("%q: code %d, %s%s", args, code, out, stderr)
		}
		if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=256k"); err != nil {
			t.Skip("no small disk can be mounted: ", err)
		}
		out, stderr, code := dissect(args...)
		left, err := os.ReadDir(small)
		clitest.NoError(t, syscall.Unmount(small, 0))
		if out != "" || code != term.ExitTrouble || len(stderr) > 1000 || !strings.Contains(stderr, "no space left on device") {
			t.Errorf("%q: code %d, %s%d bytes of errors: %.500s", args, code, out, len(stderr), stderr)
		}
		if err != nil || len(left) > 0 {
			t.Errorf("%q: %v, files are left: %v", args, err, left)
		}
	}
}

// If only this program gets a signal, it also ends tshark, and leaves no files.
func TestWiresharkIsEnded(t *testing.T) {
	program, err := exec.LookPath("gamedissect")
	clitest.NoError(t, err)
	programs, temporary := t.TempDir(), t.TempDir()
	mark := filepath.Join(programs, "started")
	script := "#!/bin/sh\n: >" + mark + "\nexec sleep 8\n"
	clitest.NoError(t, os.WriteFile(filepath.Join(programs, "tshark"), []byte(script), 0o755))
	c := exec.Command(program, "wireshark", "--tshark", filepath.Join(clitest.Captures, "tribes-list-40.pcap"))
	c.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"), "TMPDIR="+temporary)
	clitest.NoError(t, c.Start())
	for range 400 {
		if session.Exists(mark) {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	clitest.NoError(t, c.Process.Signal(syscall.SIGTERM))
	began := time.Now()
	err = c.Wait()
	if took := time.Since(began); !session.Exists(mark) || c.ProcessState.ExitCode() != term.ExitTrouble || took > 5*time.Second {
		t.Errorf("started: %t, %v after %v", session.Exists(mark), err, took)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("%v, files are left: %v", err, left)
	}
}
