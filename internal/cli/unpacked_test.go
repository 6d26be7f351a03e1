package cli

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/gopacket"
	glayers "github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// mostInMemory limits the program's peak memory in KB with the default --memory, whatever the program reads and shows.
const mostInMemory = 128 << 10

// peakFile is the name of an environment variable. The variable names the file to which a process of the program writes
// its peak memory in KB.
const peakFile = "GAMEDISSECT_PEAK"

// mainWithPeak does what main does, and writes the peak memory to the file that GAMEDISSECT_PEAK names.
func mainWithPeak() {
	session.SaveMemory()
	code := execute(os.Args[1:], term.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	status, _ := os.ReadFile("/proc/self/status")
	if m := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status); m != nil {
		option.Must(os.WriteFile(os.Getenv(peakFile), m[1], 0o666))
	}
	os.Exit(code)
}

// peak runs the program. It returns the peak memory in KB and the amount of output.
func peak(t *testing.T, args ...string) (kilobytes, written int) {
	t.Helper()
	self, err := os.Executable()
	clitest.NoError(t, err)
	file := filepath.Join(t.TempDir(), "peak")
	var out counter
	c := exec.CommandContext(t.Context(), self)
	c.Args = append([]string{"gamedissect-peak"}, args...) // the program's name in testscript.Main
	c.Env = append(os.Environ(), peakFile+"="+file, "GOMEMLIMIT=")
	c.Stdout = &out
	_ = c.Run() // may fail because a world expands too much
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip("the system does not report peak memory: ", err)
	}
	n, _ := strconv.Atoi(string(text))
	return n, int(out)
}

type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// TestUnpackedIsBounded reads small captures that expand to a lot of data. The program's memory for them must be
// bounded in each form of output.
func TestUnpackedIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("the test starts dozens of processes")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "bombs.pcap")
	writeBombs(t, file)
	expectation := filepath.Join(dir, "world.yaml")
	text := "name: world\nprotocol: bzflag24\nsequence:\n  - expect: MsgGetWorld\n    where: world.content.links.from == \"x\"\n"
	clitest.NoError(t, os.WriteFile(expectation, []byte(text), 0o666))
	forms := [][]string{
		{"-T", "json"}, {"world", "-o", dir},
		{"-q"}, {"-T", "line"}, {"-T", "tree"}, {"-T", "tree", "-V"}, {"-T", "tree", "-V", "-x"},
		{"-T", "csv", "-e", "bzflag24.get_world.world.content.links.from", "-e", "bzflag24.get_world.world.content.dynamic_colors.name"},
		{"-T", "json", "-Y", `bzflag24 and not bzflag24.get_world.world.content.groups.name == "x"`},
		{"--stats", "-"}, {"follow", "tcp,0", "-V"}, {"record"}, {"check", expectation},
		{"anonymize", "-w", filepath.Join(dir, "new.pcap")},
	}
	for _, args := range some(t, forms, 1) {
		args = append(args, "-r", file)
		kilobytes, written := peak(t, args...)
		if kilobytes > mostInMemory { // once more: on a busy machine the collector may be late
			again, _ := peak(t, args...)
			kilobytes = min(kilobytes, again)
		}
		if kilobytes > mostInMemory {
			t.Errorf("%q took %d MB and wrote %d KB", args, kilobytes>>10, written>>10)
		}
	}
}

// writeBombs writes a capture with downloads of small worlds that expand to a lot of data, and with long lists.
func writeBombs(t *testing.T, file string) {
	t.Helper()
	f, err := os.Create(file)
	clitest.NoError(t, err)
	defer f.Close()
	w := &bombWriter{t: t, to: pcapgo.NewWriter(f)}
	clitest.NoError(t, w.to.WriteFileHeader(1<<16, glayers.LinkTypeRaw))
	const size, half = 8<<20 - 1000, 4 << 20
	zeros := func(n int) []byte { return make([]byte, n) }
	count := func(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }
	for _, content := range [][][]byte{
		{zeros(2 * 4), count(half / 100), zeros(half)},                                         // materials
		{zeros(5*4 + 4 + 11*4), count(half / 48), zeros(half)},                                 // groups
		{zeros(5*4 + 4 + 11*4), count(0), count(size / 8), zeros(size)},                        // links
		{zeros(5*4 + 4 + 5*4), count(half / 21), zeros(half)},                                  // meshes
		{count(1), count(size), bytes.Repeat([]byte{0x9b}, size), zeros(500)},                  // a name
		{count(1), zeros(4 + 2*4 + 3*4), count(half - 200), bytes.Repeat([]byte{1}, half-100)}, // states of a colour
	} {
		w.world(bytes.Join(content, nil))
	}
	lists := "[" + strings.Repeat("[],", 80_000) + "0]"
	w.connect(27790)
	w.say(true, "GET /master.json HTTP/1.0\r\n\r\n")
	w.say(false, "HTTP/1.0 200 OK\r\nContent-Length: "+strconv.Itoa(len(lists))+"\r\n\r\n"+lists)
}

// A bombWriter writes connections between clients and a server.
type bombWriter struct {
	t       *testing.T
	to      *pcapgo.Writer
	clients int
	port    glayers.TCPPort
	sent    [2]uint32 // bytes sent by the server and by the client
}

// connect begins a connection of a new client.
func (w *bombWriter) connect(port glayers.TCPPort) {
	w.clients++
	w.port, w.sent = port, [2]uint32{}
	w.segment(true, true, false, nil)
	w.segment(false, true, true, nil)
}

// say sends bytes from one side.
func (w *bombWriter) say(client bool, text string) {
	for len(text) > 0 {
		n := min(len(text), 32<<10)
		w.segment(client, false, true, []byte(text[:n]))
		text = text[n:]
	}
}

func (w *bombWriter) segment(client, syn, ack bool, data []byte) {
	w.t.Helper()
	side := 0
	ip := &glayers.IPv4{Version: 4, TTL: 64, Protocol: glayers.IPProtocolTCP, SrcIP: []byte{10, 0, 0, 1}, DstIP: []byte{10, 0, 1, byte(w.clients)}}
	tcp := &glayers.TCP{SrcPort: w.port, DstPort: 40000, SYN: syn, ACK: ack, Window: 1 << 15}
	if client {
		side = 1
		ip.SrcIP, ip.DstIP, tcp.SrcPort, tcp.DstPort = ip.DstIP, ip.SrcIP, tcp.DstPort, tcp.SrcPort
	}
	tcp.Seq, tcp.Ack = w.sent[side], w.sent[1-side]
	w.sent[side] += uint32(len(data))
	if syn {
		w.sent[side]++
	}
	buf := gopacket.NewSerializeBuffer()
	clitest.NoError(w.t, gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true}, ip, tcp, gopacket.Payload(data)))
	b := buf.Bytes()
	clitest.NoError(w.t, w.to.WritePacket(gopacket.CaptureInfo{CaptureLength: len(b), Length: len(b)}, b))
}

// world makes a new client download a world.
func (w *bombWriter) world(content []byte) {
	var deflated bytes.Buffer
	z, _ := zlib.NewWriterLevel(&deflated, zlib.BestSpeed)
	_, _ = z.Write(content)
	_ = z.Close()
	deflated.Write(make([]byte, max(len(content)/100+1-deflated.Len(), 0))) // keeps the ratio below the decoder's limit
	b := append(binary.BigEndian.AppendUint32([]byte("\x00\x0ahe\x00\x01"), uint32(len(content))),
		binary.BigEndian.AppendUint32(nil, uint32(deflated.Len()))...)
	database := string(b) + deflated.String() + "\x00\x00ed"
	number := func(n int) string { return string(binary.BigEndian.AppendUint32(nil, uint32(n))) }
	message := func(body string) string { return number(len(body))[2:] + "gw" + body }
	w.connect(5154)
	w.say(true, "BZFLAG\r\n\r\n")
	w.say(false, "BZFS0221\x00")
	for at := 0; at < len(database); {
		n := min(len(database)-at, 1000)
		w.say(true, message(number(at)))
		w.say(false, message(number(len(database)-at-n)+database[at:at+n]))
		at += n
	}
}

// A tree that is cut ends with a mark, and a list that is cut shows how many elements are missing.
func TestCutTreesAreMarked(t *testing.T) {
	wiretest.WithoutDetector(t)
	file := filepath.Join(t.TempDir(), "bombs.pcap")
	writeBombs(t, file)
	for _, form := range some(t, [][2]string{
		{"-Ttree", `name +"(\\u009b)+" \.\.\. 8387608 bytes\n`},
		{"-V", `\n +\.\.\. \d+ more, not shown: a tree takes at most 12 MB\n`},
		{"-Tjson", `"materials_count":\d+,"materials":\[.*\],"materials_not_shown":\d+,`},
	}, 1) {
		out, _, _ := dissect(form[0], "-r", file)
		if !regexp.MustCompile(form[1]).MatchString(out) {
			t.Errorf("%q: nothing matches %s", form[0], form[1])
		}
	}
}
