package cli

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

var servedAt = regexp.MustCompile(`metrics at http://(\S+)/metrics\n`)

// TestMetricsWhileReading scrapes a run twice while packets arrive through a pipe. The server must end with the run.
func TestMetricsWhileReading(t *testing.T) {
	defer goleak.VerifyNone(t)
	file := filepath.Join(t.TempDir(), "strangers.pcap")
	writeStrangers(t, file, 20_000)
	data := clitest.ReadFile(t, file)
	in, feed := io.Pipe()
	var errs clitest.Buffer
	done := make(chan int)
	go func() {
		done <- execute([]string{"-r", "-", "-q", "--memory", "4", "--metrics", "127.0.0.1:0"}, term.Streams{In: in, Out: io.Discard, Err: &errs})
	}()
	clitest.Eventually(t, "an address", func() bool { return servedAt.MatchString(errs.String()) })
	url := "http://" + servedAt.FindStringSubmatch(errs.String())[1] + "/metrics"
	if _, body := clitest.Get(t, url); !strings.Contains(body, "\ngamedissect_packets_total 0\n") {
		t.Error("packets are counted before the first one")
	}
	half := len(data) / 2
	for i, part := range [][]byte{data[:half], data[half:]} {
		if _, err := feed.Write(part); err != nil {
			t.Fatal(err)
		}
		clitest.Eventually(t, "packets", func() bool {
			_, body := clitest.Get(t, url)
			return strings.Contains(body, "\ngamedissect_packets_total 20000\n") == (i == 1) &&
				!strings.Contains(body, "\ngamedissect_packets_total 0\n")
		})
	}
	if _, body := clitest.Get(t, url); !strings.Contains(body, "\ngamedissect_forgotten_total{kind=") {
		t.Error("state that the engine dropped is not counted")
	}
	feed.Close()
	if code := <-done; code != term.ExitDone {
		t.Errorf("exit code %d, standard error %q", code, errs.String())
	}
	if c, err := net.Dial("tcp", strings.Split(url, "/")[2]); err == nil {
		c.Close()
		t.Error("a server still listens")
	}
}

// If an address is in use, the program says so before it reads any packet.
func TestAddressInUse(t *testing.T) {
	defer goleak.VerifyNone(t)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	clitest.NoError(t, err)
	defer l.Close()
	at := l.Addr().String()
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-r", "nosuch", "--metrics", at}, "gamedissect: --metrics " + at + ": listen tcp4 " + at + ": bind: "},
		{[]string{"view", filepath.Join(clitest.Captures, "bz24-admin.pcap"), "--no-browser", "--listen", at},
			"gamedissect: --listen " + at + ": listen tcp " + at + ": bind: "},
	} {
		_, stderr, code := dissect(test.args...)
		if code != term.ExitTrouble || !strings.HasPrefix(stderr, test.want) || strings.Contains(stderr, "nosuch") {
			t.Errorf("exit code %d, standard error %q, want %q", code, stderr, test.want)
		}
	}
}

var shownAt = regexp.MustCompile(`(?m)^http://\S+$`)

// TestViewEnds interrupts the program after its page was read, while a client keeps a connection open.
func TestViewEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a program cannot interrupt itself on Windows")
	}
	defer goleak.VerifyNone(t)
	var out, errs clitest.Buffer
	done := make(chan int)
	self, err := os.FindProcess(os.Getpid())
	clitest.NoError(t, err)
	go func() {
		done <- execute([]string{"view", "-r", filepath.Join(clitest.Captures, "bloodmasters-real.pcap.gz"), "--no-browser"}, term.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	}()
	clitest.Eventually(t, "an address", func() bool { return shownAt.MatchString(out.String()) })
	address := shownAt.FindString(out.String())
	if code, body := clitest.Get(t, address); code != http.StatusOK || !strings.Contains(body, "bloodmasters-real.pcap.gz") {
		t.Errorf("status %d", code)
	}
	c, err := net.Dial("tcp", strings.Split(address, "/")[2])
	clitest.NoError(t, err)
	defer c.Close()
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\n") // an incomplete request
	clitest.NoError(t, self.Signal(os.Interrupt))
	if code := <-done; code != term.ExitDone || errs.String() != "gamedissect: the page is served until you press Ctrl-C\n" {
		t.Errorf("exit code %d, standard error %q", code, errs.String())
	}
}
