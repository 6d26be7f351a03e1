//go:build live && linux

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// "make live" runs these tests. They create network namespaces and capture from interfaces in them. They need root, ip
// (iproute2), tcpdump, bzfs and bzadmin.

// A live capture shows the same messages as a file that tcpdump wrote at the same time.
func TestLiveEqualsFile(t *testing.T) {
	program, send := lab(t, 65535)
	for _, name := range []string{
		"bloodmasters-real.pcap", "iceball-real-session.frag.pcap", "iceball-real-session.qinq.pcap", "tribes-list-40.pcap",
		"bz17-c-scorelimit.pcap", "bz17-var-vlan.pcap", "bz17-var-reorder.pcap", "bz24-ctf-capture.pcap",
	} {
		file := filepath.Join(t.TempDir(), "tcpdump.pcap")
		dump := begin(t, 1, "tcpdump", "-i", far, "-w", file, "-U", "-s", "0", "--time-stamp-precision=nano", "--immediate-mode", "-B", "65536")
		one := begin(t, 2, program, "-i", far, "-T", "json")
		for i, b := range packets(t, name) {
			if err := send(b); err != nil {
				t.Fatalf("%s: packet %d of %d bytes: %v", name, i+1, len(b), err)
			}
			if i%50 == 49 {
				time.Sleep(2 * time.Millisecond) // slowly, because tcpdump loses packets at full speed
			}
		}
		live, stderr := one.stop(t)
		dump.stop(t)
		want, _, _ := dissect("-r", file, "-T", "json")
		if !sameLines(live, want) {
			t.Errorf("%s: -file +live\n%.3000s\n%s", name, cmp.Diff(strings.Split(want, "\n"), strings.Split(live, "\n")), stderr)
		}
		if n := strings.Count(live, "\n"); n < 30 {
			t.Errorf("%s: only %d lines", name, n)
		}
		if !strings.Contains(stderr, ", 0 dropped by the kernel") {
			t.Errorf("%s: %s", name, stderr)
		}
	}
}

// sameLines compares lines in any order. The positions of findings about silence may differ, because they depend on the
// clock while packets arrive.
func sameLines(a, b string) bool {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

var droppedForm = regexp.MustCompile(`([0-9,]+) packets? captured, ([0-9,]+) dropped by the kernel`)

// VLAN tags that the kernel removes are restored. If all interfaces are captured, packets keep the link types of their
// interfaces.
func TestLiveVLAN(t *testing.T) {
	program, send := lab(t, 65535)
	one := begin(t, 1, program, "-i", far, "-T", "line")
	two := begin(t, 2, program, "-i", "any", "-T", "line")
	for _, b := range packets(t, "bz17-var-vlan.pcap") {
		clitest.NoError(t, send(b))
	}
	want, _, _ := dissect("-r", filepath.Join(clitest.Captures, "bz17-var-vlan.pcap"), "-T", "line")
	for _, c := range []*captured{one, two} {
		if out, stderr := c.stop(t); strings.Count(out, "\n") != strings.Count(want, "\n") {
			t.Errorf("%d lines, want %d: %s", strings.Count(out, "\n"), strings.Count(want, "\n"), stderr)
		}
	}
}

// The test covers an interface that goes down, and the ways in which a capture ends.
func TestLiveEnds(t *testing.T) {
	program, send := lab(t, 1500)
	frames := packets(t, "tribes-x-control.pcap")
	down := begin(t, 1, program, "-i", far, "-q")
	for _, state := range []string{"down", "up"} {
		if out, err := exec.Command("ip", "-n", farSpace, "link", "set", far, state).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		time.Sleep(500 * time.Millisecond)
	}
	for _, b := range frames {
		for range 20 {
			if send(b) == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	out, stderr := down.stop(t)
	if !strings.Contains(stderr, far+": the interface is down; what comes when it is up again is captured") || !strings.Contains(out, "MasterListReply") {
		t.Errorf("%s%s", out, stderr)
	}

	count := begin(t, 1, program, "-i", far, "-T", "line", "-c", "2")
	for _, b := range frames[:5] {
		clitest.NoError(t, send(b))
	}
	count.wait(t)
	if out := count.out.String(); !strings.Contains(out, "   2  ") || strings.Contains(out, "   3  ") {
		t.Errorf("-c 2: %s", count.out.String())
	}

	asked := begin(t, 1, program, "-i", far, "-q")
	clitest.NoError(t, send(frames[0]))
	time.Sleep(300 * time.Millisecond)
	clitest.NoError(t, asked.cmd.Process.Signal(syscall.SIGUSR1))
	out, stderr = asked.stop(t)
	if !strings.Contains(stderr, "MasterQuery") || !strings.Contains(out, "MasterQuery") {
		t.Errorf("SIGUSR1: %s%s", out, stderr)
	}

	gone := begin(t, 1, program, "-i", far, "-q")
	if out, err := exec.Command("ip", "-n", farSpace, "link", "del", far).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	gone.wait(t)
	if !strings.Contains(gone.err.String(), far+": the interface is gone") {
		t.Error(gone.err.String())
	}
}

// An unanswered query is found when time passes, without another packet. The program has no privileges left.
func TestLiveSilenceAndRights(t *testing.T) {
	program, send := lab(t, 1500)
	c := exec.Command("ip", "netns", "exec", farSpace, program, "-i", far, "-T", "json", "-Z", "nobody")
	out, err := c.StdoutPipe()
	clitest.NoError(t, err)
	clitest.NoError(t, c.Start())
	defer func() { _ = c.Process.Kill() }()
	time.Sleep(time.Second)
	text := clitest.ReadFile(t, fmt.Sprintf("/proc/%d/status", c.Process.Pid))
	for _, line := range []string{"Uid:\t65534\t65534\t65534\t65534", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000", "CapAmb:\t0000000000000000", "NoNewPrivs:\t1"} {
		if !strings.Contains(string(text), line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
	clitest.NoError(t, send(packets(t, "bloodmasters-real.pcap")[0]))
	begun := time.Now()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l struct {
			Finding *struct{ Rule string }
		}
		if json.Unmarshal(lines.Bytes(), &l) == nil && l.Finding != nil {
			if l.Finding.Rule != "bloodmasters.unanswered-query" || time.Since(begun) > 10*time.Second {
				t.Errorf("%s after %v", lines.Text(), time.Since(begun))
			}
			return
		}
	}
	t.Error("no finding came")
}

// The events of a real server, a join and a chat message, are shown as they happen.
func TestLiveServer(t *testing.T) {
	program := build(t)
	if os.Getuid() != 0 {
		t.Skip("capturing needs root")
	}
	server := exec.Command(find(t, "bzfs"), "-p", "5997", "-i", "127.0.0.1", "-world", "../../testdata/bzflag24/worlds/all.bzw")
	clitest.NoError(t, server.Start())
	defer func() { _ = server.Process.Kill() }()
	c := exec.Command(program, "-i", "lo", "-T", "json", "-d", "udp.port==5997,bzflag24")
	out, err := c.StdoutPipe()
	clitest.NoError(t, err)
	c.Stderr = io.Discard
	clitest.NoError(t, c.Start())
	defer func() { _ = c.Process.Kill() }()
	time.Sleep(time.Second)
	go func() {
		_ = exec.Command(find(t, "bzadmin"), "-ui", "stdout", "tester@127.0.0.1:5997", "hello world", "/quit").Run()
	}()
	timeout := time.AfterFunc(20*time.Second, func() { _ = c.Process.Kill() })
	defer timeout.Stop()
	seen := make(map[string]time.Duration)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m struct {
			Message, Direction string
			Time               time.Time
			Fields             struct{ Text string }
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.Message == "" {
			continue
		}
		name := m.Message
		if name == "MsgMessage" && m.Direction == "c2s" && strings.Contains(lines.Text(), "hello world") {
			name = "chat"
		}
		seen[name] = max(seen[name], time.Since(m.Time))
		if seen["chat"] > 0 && seen["MsgAddPlayer"] > 0 {
			break
		}
	}
	for _, name := range []string{"MsgEnter", "MsgAccept", "MsgAddPlayer", "chat"} {
		if late, ok := seen[name]; !ok || late > 200*time.Millisecond {
			t.Errorf("%s: seen %v, %v late", name, ok, late)
		}
	}
	t.Logf("late: %v", seen)
}

// A live capture writes the same file as tcpdump, even with filters in the kernel. A killed program leaves what it had
// written.
func TestLiveWrites(t *testing.T) {
	program, send := lab(t, 65535)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil { // the program has no privileges when it writes
		t.Fatal(err)
	}
	whole, some, cut := filepath.Join(dir, "whole.pcapng"), filepath.Join(dir, "some.pcapng"), filepath.Join(dir, "cut.pcapng")
	one := begin(t, 1, program, "-i", far, "-w", whole)
	two := begin(t, 2, program, "-i", far, "-w", some, "-f", "udp src port 28000", "-s", "100")
	three := begin(t, 3, program, "-i", far, "-w", cut, "-l")
	for i, b := range packets(t, "tribes-list-40.pcap") {
		clitest.NoError(t, send(b))
		if i%50 == 49 {
			time.Sleep(2 * time.Millisecond)
		}
	}
	time.Sleep(500 * time.Millisecond)
	clitest.NoError(t, three.cmd.Process.Signal(syscall.SIGKILL))
	three.wait(t)
	one.stop(t)
	two.stop(t)
	for file, want := range map[string]string{
		whole: "202 packets, 202 messages", cut: "202 packets, 202 messages", some: "41 packets, 41 messages",
	} {
		out, stderr, code := dissect("-r", file, "-q")
		if !strings.Contains(out, want) || code != term.ExitDone {
			t.Errorf("%s: %s%s", filepath.Base(file), out, stderr)
		}
	}
	text, err := exec.Command("tshark", "-r", whole, "-T", "fields", "-e", "frame.number", "-e", "frame.interface_name", "-e", "frame.comment").CombinedOutput()
	if err == nil && !regexp.MustCompile(`(?m)^41\t`+far+`\ttribes\.short-packet note: `).Match(text) {
		t.Errorf("%.500s", text)
	}
	info, err := exec.Command("capinfos", whole).CombinedOutput()
	if err == nil && !strings.Contains(string(info), "Number of packets:   202") {
		t.Errorf("%s", info)
	}
}

// Datagrams larger than the interface's limit arrive in fragments, over IPv4 and IPv6.
func TestLiveFragments(t *testing.T) {
	program := build(t)
	cable(t, 1500)
	for i, n := range []string{nearSpace, farSpace} {
		name := []string{near, far}[i]
		_ = exec.Command("ip", "netns", "exec", n, "sysctl", "-q", "-w", "net.ipv6.conf."+name+".disable_ipv6=0").Run()
		if out, err := exec.Command("ip", "-n", n, "addr", "add", fmt.Sprintf("fd99::%d/64", i+1), "dev", name, "nodad").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	one := begin(t, 1, program, "-i", far, "-T", "json", "--protocol", "bloodmasters")
	within(t, nearSpace, func() error {
		for _, to := range []string{"10.99.0.2:6969", "[fd99::2]:6969"} {
			c, err := net.ListenPacket("udp", ":0")
			if err != nil {
				return err
			}
			defer c.Close()
			at := net.UDPAddrFromAddrPort(netip.MustParseAddrPort(to))
			query := []byte("\x07\x00\x0d\x01\x02\x03\x04")
			if _, err := c.WriteTo(query, at); err != nil { // from now on the conversation is recognised
				return err
			}
			if _, err := c.WriteTo(bytes.Repeat(query, 500), at); err != nil {
				return err
			}
		}
		return nil
	})
	out, stderr := one.stop(t)
	for _, want := range []string{`"dst":"10.99.0.2:6969"`, `"dst":"[fd99::2]:6969"`} {
		if n := strings.Count(out, want); n < 3 {
			t.Errorf("%d times %s:\n%.1000s\n%s", n, want, out, stderr)
		}
	}
	if strings.Contains(out, "ip.fragment-lost") {
		t.Errorf("fragments are missing:\n%.1000s", out)
	}
}
