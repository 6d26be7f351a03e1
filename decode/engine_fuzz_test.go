package decode

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/ip/iptest"
	"github.com/gamedissect/gamedissect/decode/wire/print"

	"github.com/gamedissect/gamedissect/decode/wire"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// A script of the fuzzer is a list of frames. A frame is a link type (2 bytes), the number of bytes cut off (1), the
// size (2) and the data. If the link type is 0xffc0 or higher, the data is the payload of a datagram. The test then
// adds the headers, since other fuzz targets test how datagrams are found. The low bits of the link type select the
// ports.
const (
	scriptHeader = 5
	wrapped      = 0xffc0
)

var fuzzPorts = [...]uint16{6969, 27790, 28000, 28001, 29000, 40000, 40001, 80}

func scripted(link uint16, cut byte, data string) []byte {
	b := binary.BigEndian.AppendUint16(nil, link)
	b = append(b, cut)
	b = binary.BigEndian.AppendUint16(b, uint16(len(data)))
	return append(b, data...)
}

// between returns the link type of a datagram between two of the fuzzPorts.
func between(from, to int) uint16 { return wrapped | uint16(from)<<3 | uint16(to) }

// parse returns the first frame of a script and the rest of the script.
func parse(script []byte) (f Frame, rest []byte, ok bool) {
	if len(script) < scriptHeader {
		return f, nil, false
	}
	f.Link = binary.BigEndian.Uint16(script)
	size := min(int(binary.BigEndian.Uint16(script[3:])), len(script)-scriptHeader)
	f.Data, rest = script[scriptHeader:scriptHeader+size], script[scriptHeader+size:]
	f.Length = len(f.Data) + int(script[2])
	if f.Link >= wrapped {
		f.Data = wrap(f.Data, f.Length, fuzzPorts[f.Link>>3&7], fuzzPorts[f.Link&7])
		f.Length += ipv4HeaderSize + udpHeader
		f.Link = ip.LinkRaw
	}
	return f, rest, true
}

// wrap prepends IPv4 and UDP headers to a datagram of size bytes.
func wrap(data []byte, size int, from, to uint16) []byte {
	b := make([]byte, ipv4HeaderSize+udpHeader, ipv4HeaderSize+udpHeader+len(data))
	b[0], b[9], b[12], b[16] = 0x45, ip.ProtocolUDP, byte(from), byte(to)
	binary.BigEndian.PutUint16(b[2:], uint16(min(ipv4HeaderSize+udpHeader+size, 65535)))
	binary.BigEndian.PutUint16(b[20:], from)
	binary.BigEndian.PutUint16(b[22:], to)
	binary.BigEndian.PutUint16(b[24:], uint16(min(udpHeader+size, 65535)))
	return append(b, data...)
}

// captured returns scripts made from the beginnings of the captures in testdata.
func captured() (scripts [][]byte) {
	files, _ := filepath.Glob("../testdata/pcap/*.pcap")
	for _, name := range files {
		var script []byte
		for n, f := range FramesIn(name) {
			if n < 8 {
				script = append(script, scripted(f.Link, byte(min(f.Length-len(f.Data), 255)), string(f.Data))...)
			}
		}
		scripts = append(scripts, script)
	}
	return scripts
}

func FuzzEngine(f *testing.F) {
	for _, script := range captured() {
		f.Add(script)
	}
	query := "\x10\x03\xff\x00\x12\x34\x00\x00"
	list := "\x10\x06\x01\x01\x12\x34\x00\x66\x03abc\x04motd\x00\x02\x06\x7f\x0a\x22\x0a\x61\x6d\x06\x7f\x0a\x22\x0b\x61\x6d"
	f.Add(slices.Concat(scripted(between(5, 2), 0, query), scripted(between(2, 5), 0, list)))
	f.Add(slices.Concat(scripted(between(5, 2), 2, query), scripted(between(2, 5), 7, list)))
	f.Add(slices.Concat(scripted(between(5, 0), 0, "\x07\x00\x19\x01\x02\x03\x04"), scripted(between(5, 0), 0, "\x07\x00\x19\x01\x02\x03\x04\x03\x00\x01")))
	f.Add(slices.Concat(scripted(between(5, 1), 0, "1CEB\x02\x00\x00\x80\x40\x00"), scripted(between(1, 5), 0, "MSOK\x01\x02\x03\x04"), scripted(between(5, 6), 0, "HSHK\x01\x02\x03\x04")))
	packet, packet6 := udpPacket(f, "192.0.2.1:40000", "192.0.2.2:28000", query), udpPacket(f, "[2001:db8::1]:40000", "[2001:db8::2]:28000", query)
	f.Add(scripted(ip.LinkEthernet, 0, "\x02\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x02\x81\x00\x00\x05\x08\x00"+string(packet)))
	f.Add(scripted(ip.LinkNull, 0, "\x0a\x00\x00\x00"+string(packet6)))
	f.Add(scripted(ip.LinkRaw, 0, string(packet6)))
	for _, tunnel := range iptest.Tunnels() {
		frame := tunnel.Wrap(packet)
		f.Add(scripted(tunnel.Link, 0, string(frame)))
		if outer := frame[14:]; tunnel.Link == ip.LinkEthernet && outer[0] == 0x45 {
			var script []byte
			for _, part := range inFragments(outer, 1, 24) {
				script = append(script, scripted(ip.LinkRaw, 0, string(part))...)
			}
			f.Add(script)
		}
	}
	for _, part := range inFragments(udpPacket(f, "192.0.2.1:28000", "192.0.2.2:40000", list), 1, 16) {
		f.Add(scripted(ip.LinkRaw, 0, string(part)))
	}
	for _, c := range []struct {
		port     string
		from, to string // payloads of the client and the server
	}{
		{"27790", "GET /master.json HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\nLength: 2\r\n\r\n[]"},
		{"5155", "\x00\x00ex", "BZFS107e\x14\x23\x00\x00ac\x00\x00nr"},
	} {
		f.Add(overTCP(f, c.port, c.from, c.to))
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 1<<14 {
			return // long scripts find no more than short ones
		}
		runScript(t, script)
		same(t, Options{Protocols: protocols.All()}, framesOf(script))
	})
}

// overTCP returns a connection in which each side sends a payload in two segments.
func overTCP(tb testing.TB, port, from, to string) (script []byte) {
	w := newWired(tb, client, "198.51.100.2:"+port)
	w.sent = func(packet []byte) { script = append(script, scripted(ip.LinkRaw, 0, string(packet))...) }
	w.open()
	for side, text := range []string{from, to} {
		w.send(side, text[:len(text)/2])
		w.send(side, text[len(text)/2:])
		w.lose(side, 2)
		w.send(side, text+text)
		w.finish(side)
	}
	return script
}

// runScript passes the frames of a script to an engine and checks all output of the engine.
func runScript(t *testing.T, script []byte) {
	c := &checker{t: t}
	o := Options{Protocols: protocols.All(), Message: c.message, Finding: c.finding, Others: true, Told: true}
	a := newAccount(t, &o)
	e := New(o)
	c.copies = e.Deduplicator()
	a.watch(e)
	for {
		f, rest, ok := parse(script)
		if !ok {
			break
		}
		script = rest
		f.Number, f.Time = len(c.frames)+1, int64(len(c.frames))
		c.frames = append(c.frames, f)
		before := bytes.Clone(f.Data)
		a.take(&f)
		if !bytes.Equal(f.Data, before) {
			t.Fatal("the frame was changed")
		}
	}
	a.close()
	n := e.Counters()
	if n.Packets != int64(len(c.frames)) || n.Messages != int64(c.messages) ||
		n.Recognised < 0 || n.Other < 0 || n.Recognised+n.Other != n.Packets {
		t.Fatalf("%d frames, %d messages, counters %+v", len(c.frames), c.messages, n)
	}
	checkOthers(t, e)
}

// checker checks the invariants of messages and findings.
type checker struct {
	t        *testing.T
	frames   []Frame
	messages int
	copies   *Deduplicator
}

func (c *checker) message(m *Message) {
	c.messages++
	if c.copies.Copy(m) && !m.Told.Skip && m.Told.Source == 0 {
		c.t.Fatal("a copy has no source")
	}
	c.place(&m.Place)
	if m.Name == "" || m.Length < len(m.Data) || len(m.Findings) > 0 && m.Findings[0].Rule == nil {
		c.t.Fatalf("%+v", m)
	}
	c.origin(m)
	for _, f := range m.Findings {
		if f.Off < 0 || f.Size < 0 || f.Off+f.Size > m.Length {
			c.t.Fatalf("%s %q: offset %d and size %d are not within the %d bytes", f.Rule.ID, f.Text, f.Off, f.Size, m.Length)
		}
		c.rule(f.Rule, m.Protocol, f.Text)
	}
	var folded print.Printer
	short := folded.Append(nil, m.FoldedTree(), m.Data, m.Findings)
	if whole := folded.Append(nil, m.Tree(), m.Data, m.Findings); !bytes.Equal(short, whole) {
		c.t.Fatalf("folded\n%s\nwhole\n%s", short, whole)
	}
	size := int32(0)
	tree := m.Tree()
	for i := range tree.Nodes {
		if n := &tree.Nodes[i]; !n.Composite() {
			if n.Off != size {
				c.t.Fatalf("there is a gap before %+v, which should begin at %d", n, size)
			}
			size += n.Size
		}
	}
	if int(size) != len(m.Data) {
		c.t.Fatalf("the fields cover %d of %d bytes", size, len(m.Data))
	}
	printer := print.Printer{All: true, Bytes: true}
	c.printable(string(printer.Append(nil, tree, m.Data, m.Findings)))
	if s, ok := m.Layer.Core().Body.(wire.Summarizer); ok {
		c.printable(string(s.AppendSummary(nil)))
	}
	c.printable(m.Code)
}

// origin checks that the frame of a message contains a packet. For an unfragmented datagram, it also checks that the
// packet contains the message's bytes. Otherwise some of the bytes may be in other frames.
func (c *checker) origin(m *Message) {
	f := &c.frames[m.Frame-1]
	var p ip.Packet
	if ip.Find(f.Link, f.Data, f.Length, &p) != ip.Found && p.Rest().Empty() {
		c.t.Fatalf("a message in frame %d, which has no packet", m.Frame)
	}
	if m.Transport == wire.UDP && !p.Fragment && p.Tunnel() == ip.NoTunnel && p.Rest().Empty() && !bytes.Contains(p.Payload, m.Data) {
		c.t.Fatalf("frame %d does not contain the message", m.Frame)
	}
}

func (c *checker) finding(f *wire.TrafficFinding) {
	if f.Rule == RuleNested {
		return // a finding without a protocol
	}
	c.place(&f.Place)
	c.rule(f.Rule, f.Protocol, f.Text)
}

func (c *checker) place(p *wire.Place) {
	if p.Frame < 1 || p.Frame > len(c.frames) || p.Time != int64(p.Frame-1) || !p.Src.IsValid() || !p.Dst.IsValid() || p.Protocol == nil {
		c.t.Fatalf("%+v after %d frames", p, len(c.frames))
	}
}

func (c *checker) rule(r *wire.Rule, p *wire.Protocol, text string) {
	if !slices.Contains(p.Rules, r) && !slices.Contains(Rules(), r) {
		c.t.Fatalf("%s is not a rule of %s", r.ID, p.Name)
	}
	c.printable(text)
}

func (c *checker) printable(text string) {
	for _, r := range text {
		if r != '\n' && !strconv.IsPrint(r) {
			c.t.Fatalf("%U in %q", r, text)
		}
	}
}
