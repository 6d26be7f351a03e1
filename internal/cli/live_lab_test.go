//go:build live && linux

package cli

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

const (
	nearSpace, farSpace = "gamedissect-a", "gamedissect-b"
	near, far           = "gda", "gdb" // the two ends of a cable
)

// cable makes two namespaces connected by a virtual cable.
func cable(t *testing.T, mtu int) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("namespaces need root")
	}
	ip := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			t.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
		}
	}
	for _, n := range []string{nearSpace, farSpace} {
		ip("netns", "add", n)
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", n).Run() })
		ip("-n", n, "link", "set", "lo", "up")
	}
	ip("link", "add", near, "netns", nearSpace, "mtu", strconv.Itoa(mtu), "type", "veth", "peer", "name", far, "netns", farSpace, "mtu", strconv.Itoa(mtu))
	for i, n := range []string{nearSpace, farSpace} {
		name := []string{near, far}[i]
		// Disable IPv6's own traffic and offloading, so the capture has exactly the packets that were sent.
		_ = exec.Command("ip", "netns", "exec", n, "sysctl", "-q", "-w", "net.ipv6.conf."+name+".disable_ipv6=1").Run()
		_ = exec.Command("ip", "netns", "exec", n, "ethtool", "-K", name, "tx", "off", "rx", "off").Run()
		ip("-n", n, "link", "set", name, "up")
		ip("-n", n, "addr", "add", fmt.Sprintf("10.99.0.%d/24", i+1), "dev", name)
	}
}

// lab builds the program and makes a cable. send sends frames on the cable.
func lab(t *testing.T, mtu int) (program string, send func([]byte) error) {
	t.Helper()
	program = build(t)
	cable(t, mtu)
	return program, sender(t)
}

// within runs a function on a thread in a namespace. The thread ends with the function.
func within(t *testing.T, space string, f func() error) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: Go must not reuse the thread
		fd, err := unix.Open("/run/netns/"+space, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err == nil {
			err = unix.Setns(fd, unix.CLONE_NEWNET)
		}
		if err == nil {
			err = f()
		}
		done <- err
	}()
	clitest.NoError(t, <-done)
}

// sender opens a socket that sends frames from the near end of the cable.
func sender(t *testing.T) func([]byte) error {
	t.Helper()
	var fd int
	var to unix.SockaddrLinklayer
	within(t, nearSpace, func() (err error) {
		if fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0); err != nil {
			return err
		}
		i, err := net.InterfaceByName(near)
		if err != nil {
			return err
		}
		to.Ifindex = i.Index
		return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF, 4<<20)
	})
	t.Cleanup(func() { unix.Close(fd) })
	return func(b []byte) error { return unix.Sendto(fd, b, 0, &to) }
}

// A captured is a program that captures at the far end.
type captured struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
}

// begin starts a program at the far end and waits until it captures.
func begin(t *testing.T, index int, program string, args ...string) *captured {
	t.Helper()
	c := &captured{cmd: exec.Command("ip", append([]string{"netns", "exec", farSpace, program}, args...)...)}
	c.cmd.Stdout, c.cmd.Stderr = &c.out, &c.err
	clitest.NoError(t, c.cmd.Start())
	t.Cleanup(func() { _ = c.cmd.Process.Kill() })
	for range 100 {
		time.Sleep(50 * time.Millisecond)
		b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/net/packet", c.cmd.Process.Pid))
		n := 0
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); len(f) > 5 && f[5] == "1" {
				n++
			}
		}
		if n >= index {
			return c
		}
	}
	t.Fatalf("%s does not capture: %s", program, c.err.String())
	return nil
}

// stop interrupts the program and returns its output.
func (c *captured) stop(t *testing.T) (out, err string) {
	t.Helper()
	time.Sleep(300 * time.Millisecond) // for packets on their way
	if e := c.cmd.Process.Signal(os.Interrupt); e != nil {
		t.Fatal(e)
	}
	c.wait(t)
	return c.out.String(), c.err.String()
}

func (c *captured) wait(t *testing.T) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- c.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		_ = c.cmd.Process.Kill()
		t.Fatal("the program does not end")
	}
}

// build makes the program.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gamedissect")
	if out, err := exec.Command("go", "build", "-o", path, "../../cmd/gamedissect").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// packets reads the frames of an Ethernet capture.
func packets(t *testing.T, name string) [][]byte {
	t.Helper()
	var list [][]byte
	for _, p := range clitest.ReadCapture(t, filepath.Join(clitest.Captures, name)) {
		list = append(list, p.Data)
	}
	return list
}
