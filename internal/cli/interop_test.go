//go:build interop

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// TestInterop records real programs on the loopback interface: a server with a world, the console client, which joins
// the game, and a client of this test that downloads the world, because the console client never does. The real server
// must be able to load the world that this program writes. The test needs bzfs, bzadmin and tcpdump, and the privileges
// that tcpdump needs.
func TestInterop(t *testing.T) {
	const world = "../../testdata/bzflag24/worlds/all.bzw"
	dir := t.TempDir()
	first := filepath.Join(dir, "first.pcap")
	recordSession(t, first, world, func(server string) {
		program(t, "bzadmin", "-ui", "stdout", "tester@"+server, "hello world", "/quit")
		download(t, server)
	})
	checkSession(t, first)
	again := rewrite(t, first)

	second := filepath.Join(dir, "second.pcap")
	recordSession(t, second, again, func(server string) { download(t, server) })
	a, b := string(clitest.ReadFile(t, again)), string(clitest.ReadFile(t, rewrite(t, second)))
	if a != b {
		t.Errorf("after the server has loaded the world, it is\n%s\nand before\n%s", b, a)
	}
	if !strings.Contains(a, "mesh") || !strings.Contains(a, "weapon") {
		t.Errorf("the world lacks objects:\n%s", a)
	}
}

// TestInteropOlder makes a current server load the world of a 1.07 server.
func TestInteropOlder(t *testing.T) {
	older := rewrite(t, filepath.Join(clitest.Captures, "bz17-c-joinleave.pcap"))
	file := filepath.Join(t.TempDir(), "new.pcap")
	recordSession(t, file, older, func(server string) { download(t, server) })
	a, b := string(clitest.ReadFile(t, older)), string(clitest.ReadFile(t, rewrite(t, file)))
	for _, object := range []string{"\nbox\n", "\npyramid\n", "\nteleporter ", "\nbase\n", "\nlink\n"} {
		if x, y := strings.Count(a, object), strings.Count(b, object); x != y {
			t.Errorf("our map has %d of %q, the server's %d", x, object, y)
		}
	}
}

// program runs a program until it ends.
func program(t *testing.T, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if out, err := exec.CommandContext(ctx, find(t, name), args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// recordSession runs a server with a world while talk communicates with it. It writes the packets to a file.
func recordSession(t *testing.T, file, world string, talk func(server string)) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	clitest.NoError(t, err)
	server := l.Addr().String()
	_, port, _ := net.SplitHostPort(server)
	_ = l.Close()

	var output strings.Builder
	bzfs := exec.Command(find(t, "bzfs"), "-i", "127.0.0.1", "-p", port, "-ms", "3", "-world", world)
	bzfs.Stdout, bzfs.Stderr = &output, &output
	start(t, bzfs)
	dump := exec.Command(find(t, "tcpdump"), "-i", "lo", "-U", "-B", "8192", "-w", file, "port "+port)
	start(t, dump)
	await(t, func() bool { info, err := os.Stat(file); return err == nil && info.Size() > 0 })
	await(t, func() bool {
		c, err := net.Dial("tcp", server)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	talk(server)
	time.Sleep(time.Second) // for the last packets to reach the file
	stop(dump)
	stop(bzfs)
	for line := range strings.Lines(output.String()) {
		if strings.Contains(line, ".bzw: ") || strings.Contains(line, "ERROR") {
			t.Errorf("bzfs: %s", line)
		}
	}
}

func start(t *testing.T, c *exec.Cmd) {
	t.Helper()
	clitest.NoError(t, c.Start())
	t.Cleanup(func() { stop(c) })
}

func stop(c *exec.Cmd) {
	if c.ProcessState == nil {
		_ = c.Process.Signal(os.Interrupt)
		done := time.AfterFunc(5*time.Second, func() { _ = c.Process.Kill() })
		_ = c.Wait()
		done.Stop()
	}
}

func await(t *testing.T, ready func() bool) {
	t.Helper()
	for range 100 {
		if ready() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("a program is not ready after ten seconds")
}

// download requests the world from a server, as a client does.
func download(t *testing.T, server string) {
	t.Helper()
	c, err := net.Dial("tcp", server)
	clitest.NoError(t, err)
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	w := worldClient{t: t, conn: c}
	w.write([]byte("BZFLAG\r\n\r\n"))
	w.await("ServerHello", 9)
	w.ask(bzflag24.CodeWantSettings, &wire.Empty{})
	w.await("MsgGameSettings", 0)
	w.ask(bzflag24.CodeWantWHash, &wire.Empty{})
	w.await("MsgWantWHash", 0)
	for offset := uint32(0); ; {
		w.ask(bzflag24.CodeGetWorld, &bzflag24.WorldRequest{Offset: offset})
		w.await("MsgGetWorld", 0)
		part := w.layer.Body.(*bzflag24.WorldPart)
		offset += uint32(len(part.Data))
		if part.BytesLeft == 0 {
			return
		}
	}
}

// worldClient is a client that can only request a world.
type worldClient struct {
	t     *testing.T
	conn  net.Conn
	data  []byte
	layer bzflag24.Layer
}

func (w *worldClient) write(b []byte) {
	if _, err := w.conn.Write(b); err != nil {
		w.t.Fatal(err)
	}
}

func (w *worldClient) ask(code bzflag24.Code, body wire.Body) {
	var l bzflag24.Layer
	l.Context = wire.Context{Direction: wire.ToServer, Transport: wire.TCP}
	l.Code, l.Body = code, body
	buf := gopacket.NewSerializeBuffer()
	clitest.NoError(w.t, l.SerializeTo(buf, gopacket.SerializeOptions{FixLengths: true}))
	w.write(buf.Bytes())
}

// await reads messages until one has the name. For a message without a header, size is its length, otherwise 0.
func (w *worldClient) await(name string, size int) {
	w.t.Helper()
	for {
		n := size
		w.fill(4)
		if n == 0 {
			n = 4 + int(w.data[0])<<8 + int(w.data[1])
		}
		w.fill(n)
		w.layer.Context = wire.Context{Direction: wire.FromServer, Transport: wire.TCP}
		clitest.NoError(w.t, w.layer.DecodeFromBytes(slices.Clone(w.data[:n]), gopacket.NilDecodeFeedback))
		w.data = w.data[n:]
		if w.layer.Message.Name == name {
			return
		}
	}
}

func (w *worldClient) fill(n int) {
	w.t.Helper()
	b := make([]byte, 4096)
	for len(w.data) < n {
		got, err := w.conn.Read(b)
		clitest.NoError(w.t, err)
		w.data = append(w.data, b[:got]...)
	}
}

// checkSession checks that the capture has the messages of both clients, and no findings.
func checkSession(t *testing.T, file string) {
	t.Helper()
	out, stderr, code := dissect("-r", file, "-T", "json")
	if code != term.ExitDone {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	counts := make(map[string]int)
	chatted := false
	for line := range strings.Lines(out) {
		var m struct {
			Message  string
			Fields   struct{ Message string }
			Findings []struct{ Rule, Severity, Text string }
		}
		clitest.NoError(t, json.Unmarshal([]byte(line), &m))
		counts[m.Message]++
		chatted = chatted || m.Fields.Message == "hello world"
		for _, f := range m.Findings {
			if f.Severity != "note" {
				t.Errorf("%s: %s", f.Rule, f.Text)
			}
		}
	}
	for _, name := range []string{"ConnectHeader", "ServerHello", "MsgEnter", "MsgAccept", "MsgSetVar", "MsgAddPlayer",
		"MsgTeamUpdate", "MsgWantSettings", "MsgGameSettings", "MsgWantWHash", "MsgGetWorld", "MsgMessage"} {
		if counts[name] == 0 {
			t.Errorf("no %s among %v", name, counts)
		}
	}
	if !chatted || counts["Unknown"] > 0 {
		t.Errorf("chatted: %t, unknown messages: %d", chatted, counts["Unknown"])
	}
}

// rewrite writes the only world of a capture, and returns the name of the map file.
func rewrite(t *testing.T, file string) string {
	t.Helper()
	dir := t.TempDir()
	if out, stderr, code := dissect("world", "-r", file, "-o", dir); code != term.ExitDone {
		t.Fatalf("exit code %d, %s%s", code, stderr, out)
	}
	maps, err := filepath.Glob(filepath.Join(dir, "*.bzw"))
	if err != nil || len(maps) != 1 {
		t.Fatal(fmt.Sprint(maps, err))
	}
	return maps[0]
}
