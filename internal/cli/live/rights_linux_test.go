package live

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

const (
	capturingUser = "nobody"
	nobody        = 65534

	childVariable = "GAMEDISSECT_TEST_CAPTURES"
)

// TestSocketCannotBeTaken checks that no other process of the same user can take over the sockets of a capture.
func TestSocketCannotBeTaken(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		child(t)
		return
	}
	if os.Getuid() != 0 {
		t.Skip("becoming another user needs root")
	}
	if fd, err := unix.PidfdOpen(os.Getpid(), 0); err != nil {
		t.Skip("there is no pidfd_open: ", err)
	} else {
		_ = unix.Close(fd)
	}
	c := exec.Command(os.Args[0], "-test.run=^TestSocketCannotBeTaken$")
	c.Env = append(os.Environ(), childVariable+"=1")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = in.Close() // ends the child
		_ = c.Wait()
	}()
	lines := bufio.NewScanner(out)
	lines.Scan()
	fd, err := strconv.Atoi(lines.Text())
	if err != nil {
		t.Skip("no packet socket can be opened as another user: ", lines.Text())
	}
	taken := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked, because the thread runs as another user
		if err := (&identity{uid: nobody, gid: nobody, groups: []uint32{nobody}}).become(); err != nil {
			taken <- err
			return
		}
		process, err := unix.PidfdOpen(c.Process.Pid, 0)
		if err == nil {
			_, err = unix.PidfdGetfd(process, fd, 0)
		}
		taken <- err
	}()
	if err := <-taken; err != unix.EPERM {
		t.Errorf("taking the socket over: %v, want %v", err, unix.EPERM)
	}
}

// child drops its privileges, prints its socket, and waits for the end of its input.
func child(t *testing.T) {
	t.Helper()
	fds, err := liveSockets(capturingUser, 1)
	if err != nil {
		_, _ = os.Stdout.WriteString(err.Error() + "\n")
		return
	}
	_, _ = os.Stdout.WriteString(strconv.Itoa(fds[0]) + "\n")
	_, _ = os.Stdin.Read(make([]byte, 1))
}
