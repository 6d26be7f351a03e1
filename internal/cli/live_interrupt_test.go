//go:build live && linux

package cli

import (
	"encoding/binary"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// numberedFrame returns a frame with a numbered datagram of no protocol.
func numberedFrame(n uint32) []byte {
	b := append([]byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45, 0, 0, 60, 0, 0, 0, 0, 64, 17, 0, 0, 10, 9, 9, 1, 10, 9, 9, 2},
		make([]byte, 40)...)
	binary.BigEndian.PutUint16(b[36:], 9)
	binary.BigEndian.PutUint16(b[38:], 40)
	binary.BigEndian.PutUint32(b[42:], n)
	return b
}

// numbers returns the numbers of the packets in a capture of frames from numberedFrame.
func numbers(t *testing.T, file string) (list []uint32) {
	t.Helper()
	for _, p := range clitest.ReadCapture(t, file) {
		if len(p.Data) == len(numberedFrame(0)) {
			list = append(list, binary.BigEndian.Uint32(p.Data[42:]))
		}
	}
	return list
}

var countsForm = regexp.MustCompile(`([0-9,]+) packets? captured, ([0-9,]+) dropped by the kernel(?:, ([0-9,]+) not processed)?`)

// counts are the program's final counts of packets captured, dropped and not processed.
func (c *captured) counts(t *testing.T) (n [3]int) {
	t.Helper()
	m := countsForm.FindStringSubmatch(c.err.String())
	if m == nil {
		t.Fatal(c.err.String())
	}
	for i, text := range m[1:] {
		n[i], _ = strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	}
	return n
}

// No matter how a capture ends, and how many packets the kernel still has then, every packet sent before the end is
// counted as captured, dropped or not processed.
func TestLiveInterruptLosesNothing(t *testing.T) {
	program, send := lab(t, 1500)
	dir := t.TempDir()
	clitest.NoError(t, os.Chmod(dir, 0o777))
	for i := range 50 {
		file := filepath.Join(dir, strconv.Itoa(i)+".pcap")
		args := []string{"-i", far, "-q", "-w", file}
		signal := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[i%3]
		limit := 0
		if i%7 == 0 {
			limit = 1 + rand.IntN(3000)
			args = append(args, "-c", strconv.Itoa(limit))
		}
		c := begin(t, 1, program, args...)
		n := 1 + rand.IntN(6000)
		for k := range n {
			for send(numberedFrame(uint32(k))) != nil {
				time.Sleep(50 * time.Microsecond) // waits while the queue is full
			}
		}
		if rand.IntN(2) == 0 {
			time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
		}
		_ = c.cmd.Process.Signal(signal) // it may already have ended
		c.wait(t)
		got := c.counts(t)
		if limit > 0 {
			if got[0] != min(limit, n) || got[0]+got[1]+got[2] > n {
				t.Errorf("%d: %d sent, -c %d: %s", i, n, limit, &c.err)
			}
		} else if got[0]+got[1] != n || got[1] != 0 || got[2] != 0 {
			t.Errorf("%d: %d sent: %s", i, n, &c.err)
		}
		if list := numbers(t, file); len(list) != got[0] {
			t.Errorf("%d: %d packets were written: %s", i, len(list), &c.err)
		}
	}
}

// If packets keep coming after the end of a capture, the captured packets are the first ones that were sent, without a
// gap.
func TestLiveInterruptUnderLoad(t *testing.T) {
	program, send := lab(t, 1500)
	dir := t.TempDir()
	clitest.NoError(t, os.Chmod(dir, 0o777))
	for i := range 20 {
		file := filepath.Join(dir, strconv.Itoa(i)+".pcap")
		args := []string{"-i", far, "-q", "-w", file}
		timed := i%4 == 0
		if timed {
			args = append(args, "-a", "duration:0.5")
		}
		c := begin(t, 1, program, args...)
		over, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for k := uint32(0); ; k++ {
				select {
				case <-over:
					return
				default:
					_ = send(numberedFrame(k))
				}
				if k%20 == 19 {
					time.Sleep(time.Millisecond)
				}
			}
		}()
		if !timed {
			time.Sleep(time.Duration(50+rand.IntN(300)) * time.Millisecond)
			_ = c.cmd.Process.Signal(os.Interrupt)
		}
		c.wait(t)
		close(over)
		<-done
		got, list := c.counts(t), numbers(t, file)
		if got[0] != len(list) || got[1] != 0 || got[2] != 0 || len(list) == 0 {
			t.Errorf("%d: %d packets were written: %s", i, len(list), &c.err)
		}
		for k, n := range list {
			if int(n) != k {
				t.Errorf("%d: packet %d has the number %d", i, k, n)
				break
			}
		}
	}
}

// Packets that the kernel drops because its buffer is full are counted exactly.
func TestLiveInterruptCountsDrops(t *testing.T) {
	program, send := lab(t, 1500)
	frames := slices.DeleteFunc(packets(t, "tribes-list-40.pcap"), func(b []byte) bool { return len(b) > 1514 })
	for i := range 5 {
		c := begin(t, 1, program, "-i", far, "-B", "1", "-T", "tree", "-V")
		n := 20_000 + rand.IntN(10_000)
		for k := range n {
			for send(frames[k%len(frames)]) != nil {
				time.Sleep(50 * time.Microsecond) // waits while the queue is full
			}
		}
		_ = c.cmd.Process.Signal(os.Interrupt)
		c.wait(t)
		if got := c.counts(t); got[0]+got[1] != n || got[1] == 0 || got[2] != 0 {
			t.Errorf("%d: %d sent: %s", i, n, &c.err)
		}
	}
}

// A loopback interface delivers each packet twice. Only one of the copies is captured and counted.
func TestLiveLoopbackOnce(t *testing.T) {
	program := build(t)
	cable(t, 1500)
	const n = 2000
	for _, args := range [][]string{
		{"-i", "lo"}, {"-i", "any"}, {"-i", "lo", "-f", "udp port 9999"}, {"-i", "any", "-f", "udp port 9999"},
	} {
		c := begin(t, 1, program, append(args, "-q")...)
		within(t, farSpace, func() error {
			to, err := net.ListenPacket("udp", "127.0.0.1:9999")
			if err != nil {
				return err
			}
			defer to.Close()
			for range n {
				if _, err := to.WriteTo([]byte("somebody"), to.LocalAddr()); err != nil {
					return err
				}
			}
			return nil
		})
		_ = c.cmd.Process.Signal(os.Interrupt)
		c.wait(t)
		if got := c.counts(t); got != [3]int{n} {
			t.Errorf("%v: %d sent: %s", args, n, &c.err)
		}
	}
}

// Packets are in the file a second after they arrived, even if the program is killed.
func TestLiveWritesEverySecond(t *testing.T) {
	program, send := lab(t, 1500)
	dir := t.TempDir()
	clitest.NoError(t, os.Chmod(dir, 0o777))
	file := filepath.Join(dir, "killed.pcapng")
	c := begin(t, 1, program, "-i", far, "-q", "-w", file)
	for k := range 100 {
		clitest.NoError(t, send(numberedFrame(uint32(k))))
	}
	time.Sleep(1200 * time.Millisecond) // includes the delay of the kernel
	_ = c.cmd.Process.Kill()
	c.wait(t)
	if list := numbers(t, file); len(list) != 100 {
		t.Errorf("%d packets were written", len(list))
	}
}

// A program started with nohup continues after its session ends.
func TestLiveNohup(t *testing.T) {
	program, send := lab(t, 1500)
	c := begin(t, 1, "nohup", program, "-i", far, "-q")
	clitest.NoError(t, c.cmd.Process.Signal(syscall.SIGHUP))
	time.Sleep(time.Second)
	clitest.NoError(t, send(numberedFrame(1)))
	if _, stderr := c.stop(t); !strings.Contains(stderr, "1 packet captured") {
		t.Error(stderr)
	}
}

// Without -Z, the program explains that it remains root. If it cannot write a file, it explains that it dropped its
// privileges. It explains this only in these cases.
func TestLiveRightsAreExplained(t *testing.T) {
	program := build(t)
	cable(t, 1500)
	dir := t.TempDir()
	for _, test := range []struct {
		args []string
		want string
		says bool
	}{
		{[]string{"-a", "duration:0.1"}, "started as root without sudo: the process drops its privileges but keeps user id 0", true},
		{[]string{"-a", "duration:0.1", "-Z", "root"}, "started as root", false},
		{[]string{"-a", "duration:0.1", "-Z", "nobody"}, "started as root", false},
		{[]string{"-a", "duration:0.1", "-Z", "nobody"}, "dropped its privileges after", false},
		{[]string{"-Z", "nobody", "-w", filepath.Join(dir, "x.pcap")}, "so it opens files as nobody", true},
		{[]string{"-a", "duration:0.1", "-Z", "nobody", "--stats", filepath.Join(dir, "x.json")}, "opens files as nobody", true},
	} {
		c := exec.Command("ip", append([]string{"netns", "exec", farSpace, program, "-i", far, "-q"}, test.args...)...)
		if stderr, _ := c.CombinedOutput(); strings.Contains(string(stderr), test.want) != test.says {
			t.Errorf("%v: %s", test.args, stderr)
		}
	}
}

// Intermediate statistics look like the final ones.
func TestLiveStatisticsInBetween(t *testing.T) {
	program, send := lab(t, 1500)
	c := begin(t, 1, program, "-i", far, "-q")
	for _, b := range packets(t, "tribes-list-40.pcap") {
		if len(b) <= 1514 {
			clitest.NoError(t, send(b))
		}
	}
	time.Sleep(500 * time.Millisecond)
	clitest.NoError(t, c.cmd.Process.Signal(syscall.SIGUSR1))
	out, stderr := c.stop(t)
	counts := stderr[strings.LastIndex(stderr, "gamedissect: "):]
	if want := out + counts + counts; !strings.HasSuffix(stderr, want) {
		t.Errorf("-end +between\n%s", cmp.Diff(want, stderr))
	}
}
