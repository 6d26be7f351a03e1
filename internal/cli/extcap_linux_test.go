package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// shark runs tshark in a network namespace with a loopback interface. It has its own home folder, in which our
// interfaces are installed. Its runs have a time limit.
type shark struct {
	t           *testing.T
	home, space string
	program     string
}

func newShark(t *testing.T) *shark {
	t.Helper()
	needTshark(t)
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip(err)
	}
	s := &shark{t: t, home: t.TempDir(), space: fmt.Sprintf("gamedissect-%d", os.Getpid())}
	if out, err := exec.Command("ip", "netns", "add", s.space).CombinedOutput(); err != nil {
		t.Skipf("a network namespace cannot be made: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", s.space).Run() })
	if out, err := exec.Command("ip", "-n", s.space, "link", "set", "lo", "up").CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	var err error
	if s.program, err = exec.LookPath("gamedissect"); err != nil {
		t.Fatal(err)
	}
	if out, stderr := s.run(s.program, "wireshark", "--install"); strings.Count(out, "wrote ") != 3 || stderr != "" {
		t.Fatal(out, stderr)
	}
	return s
}

// command returns a command in the namespace.
func (s *shark) command(args ...string) (c *exec.Cmd, out, stderr *bytes.Buffer) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	s.t.Cleanup(cancel)
	c = exec.CommandContext(ctx, "ip", append([]string{"netns", "exec", s.space}, args...)...)
	c.Env = append(os.Environ(), "HOME="+s.home, "XDG_CONFIG_HOME=")
	out, stderr = new(bytes.Buffer), new(bytes.Buffer)
	c.Stdout, c.Stderr = out, stderr
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c, out, stderr
}

// run runs a command until it ends.
func (s *shark) run(args ...string) (out, stderr string) {
	s.t.Helper()
	c, o, e := s.command(args...)
	if err := c.Run(); err != nil {
		s.t.Fatalf("%v: %s%s", err, o, e)
	}
	return o.String(), e.String()
}

// capture makes tshark capture, with further arguments, and sends queries that no server answers.
func (s *shark) capture(args ...string) (out, stderr string) {
	s.t.Helper()
	c, o, e := s.command(append([]string{"tshark", "-l", "-T", "fields", "-e", "frame.interface_name", "-e", "frame.comment"}, args...)...)
	clitest.NoError(s.t, c.Start())
	s.capturing()
	s.send(`\x07\x00\x0d\x01\x02\x03\x04`)
	s.send(`\x03\x00\x0d`)
	_ = c.Wait() // the exit code is tshark's
	return o.String(), e.String()
}

// send sends bytes, in the notation of printf(1), to the Bloodmasters port. No program listens there.
func (s *shark) send(datagram string) {
	s.t.Helper()
	c, _, stderr := s.command("bash", "-c", "printf '"+datagram+"' >/dev/udp/127.0.0.1/6969")
	if err := c.Run(); err != nil {
		s.t.Fatalf("%v: %s", err, stderr)
	}
}

// sockets counts the sockets in the namespace: those that already receive packets, and all.
func (s *shark) sockets() (bound, all int) {
	c, out, _ := s.command("cat", "/proc/net/packet")
	_ = c.Run() // if it fails, there is no output
	for line := range strings.Lines(out.String()) {
		if f := strings.Fields(line); len(f) > 5 && f[0] != "sk" {
			all++
			if f[5] == "1" {
				bound++
			}
		}
	}
	return bound, all
}

// await waits until a condition holds.
func (s *shark) await(what string, so func() bool) {
	s.t.Helper()
	for range 200 {
		if so() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Fatal(what)
}

func (s *shark) capturing() {
	s.t.Helper()
	s.await("no program captures", func() bool { bound, _ := s.sockets(); return bound > 0 })
}

func (s *shark) gone() {
	s.t.Helper()
	s.await("a program still captures", func() bool { _, all := s.sockets(); return all == 0 })
}

func TestWiresharkLive(t *testing.T) {
	s := newShark(t)
	c, out, stderr := s.command("tshark", "-D")
	if err := c.Run(); err != nil || !strings.Contains(out.String(), ". gamedissect-lo (gamedissect: lo)\n") {
		t.Fatalf("%v: %s%s", err, out, stderr)
	}
	whole := "bloodmasters ServerInfoRequest  echo 16909060"
	short, finding := "bloodmasters ServerInfoRequest  no echo", "bloodmasters.query-length "
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"by its display name", []string{"-i", "gamedissect: lo", "-c", "2", "-f", "udp"},
			"^lo\t" + whole + "\nlo\t" + short + "," + finding + ".*\n$"},
		{"findings alone", []string{"-i", "gamedissect-lo", "-c", "2", "-f", "udp",
			"-o", "extcap.gamedissect_lo.comments:findings"}, "^lo\t\nlo\t" + finding + ".*\n$"},
		{"a display filter", []string{"-i", "gamedissect-lo", "-c", "1",
			"-o", `extcap.gamedissect_lo.displayfilter:finding.rule == "bloodmasters.query-length"`},
			"^lo\t" + short + "," + finding + ".*\n$"},
	} {
		out, stderr := s.capture(test.args...)
		if !regexp.MustCompile(test.want).MatchString(out) || strings.Contains(stderr, "Error by extcap") {
			t.Errorf("%s: %s%s", test.name, out, stderr)
		}
		s.gone()
	}
}

// Errors are reported, and tshark does not wait forever.
func TestWiresharkLiveErrors(t *testing.T) {
	s := newShark(t)
	for option, want := range map[string]string{
		"displayfilter:nosuch == 1":   `there is no field "nosuch"`,
		"decodeas:udp.port==7,nobody": "choose one of",
	} {
		c, out, stderr := s.command("tshark", "-i", "gamedissect-lo", "-o", "extcap.gamedissect_lo."+option)
		if err := c.Run(); err == nil || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: %v: %s%s", option, err, out, stderr)
		}
	}
}

// An interrupt ends all processes. So does the exit of the process that reads the packets, even if no packet comes.
func TestWiresharkLiveEnds(t *testing.T) {
	s := newShark(t)
	c, out, stderr := s.command("tshark", "-l", "-i", "gamedissect-lo")
	clitest.NoError(t, c.Start())
	s.capturing()
	if err := syscall.Kill(-c.Process.Pid, syscall.SIGINT); err != nil { // like Ctrl-C on a terminal
		t.Fatal(err)
	}
	err := c.Wait()
	if strings.Contains(stderr.String(), "select: Interrupted system call") {
		err = nil // tshark 4.0 sometimes reports its own interrupt as an error
	}
	if err != nil || strings.Contains(stderr.String(), "gamedissect: ") && strings.Contains(stderr.String(), "Error by extcap") {
		t.Errorf("%v: %s%s", err, out, stderr)
	}
	s.gone()

	fifo := filepath.Join(t.TempDir(), "fifo")
	clitest.NoError(t, syscall.Mkfifo(fifo, 0o600))
	c, out, stderr = s.command(s.program, "extcap", "--capture", "--extcap-interface", "gamedissect-lo", "--fifo", fifo)
	clitest.NoError(t, c.Start())
	reader, err := os.Open(fifo)
	clitest.NoError(t, err)
	s.capturing()
	clitest.NoError(t, reader.Close())
	if err = c.Wait(); err != nil || out.Len()+stderr.Len() > 0 {
		t.Errorf("a closed pipe: %v: %s%s", err, out, stderr)
	}
}
