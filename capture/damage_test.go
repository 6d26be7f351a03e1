package capture_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"github.com/gamedissect/gamedissect/capture"
)

type damage struct {
	name    string
	file    []byte
	packets int
	cut     bool
	line    string // expected error message, complete
}

func TestDamage(t *testing.T) {
	for _, list := range [][]damage{foreignFormats(), pcapDamage(), ngDamage(), packedDamage()} {
		for _, d := range list {
			t.Run(d.name, func(t *testing.T) {
				got, err := read(d.file)
				if err == nil {
					t.Fatal("no error")
				}
				if err.Error() != d.line {
					t.Errorf("line is\n%s\nwant\n%s", err, d.line)
				}
				if e := fault(err); e.Truncated != d.cut || e.File != "test" || e.Packet != d.packets || e.Time != lastTime(got) || len(got) != d.packets {
					t.Errorf("read %d packets, error %+v", len(got), e)
				}
			})
		}
	}
}

// lastTime returns the time of the last packet.
func lastTime(read []capture.Packet) int64 {
	if len(read) == 0 {
		return 0
	}
	return read[len(read)-1].Time
}

func foreignFormats() []damage {
	line := func(name, start, what string) damage {
		return damage{name: name, file: []byte(start + strings.Repeat("\x01", 40)), line: "test: " + what}
	}
	return []damage{
		{name: "empty", line: "test: is empty"},
		{name: "text", file: []byte("Grüße,\n\tthis is a note\r\n"), line: "test: is text, not a capture; a hex dump can be converted with text2pcap"},
		{name: "text cut inside a character", file: []byte("Gr\xc3"), line: "test: is text, not a capture; a hex dump can be converted with text2pcap"},
		{name: "three bytes", file: []byte("\xd4\xc3\xb2"), line: "test: is neither pcap nor pcapng (it starts with d4 c3 b2); if it is a capture of another kind, such as ERF, convert it with editcap -F pcapng"},
		line("unknown", "\x00\x01\x02\x03", "is neither pcap nor pcapng (it starts with 00 01 02 03); if it is a capture of another kind, such as ERF, convert it with editcap -F pcapng"),
		line("snoop", "snoop\x00\x00\x00", "is a snoop capture; convert it with editcap -F pcapng"),
		line("btsnoop", "btsnoop\x00", "is a Bluetooth snoop log; convert it with editcap -F pcapng"),
		line("netmon 1", "RTSS", "is a capture of Microsoft Network Monitor 1; convert it with editcap -F pcapng"),
		line("netmon 2", "GMBU", "is a capture of Microsoft Network Monitor 2; convert it with editcap -F pcapng"),
		line("iptrace", "iptrace 2.0", "is an iptrace capture; convert it with editcap -F pcapng"),
		line("K12", "\x00\x00\x02\x00\x12\x05\x00\x10", "is a Tektronix K12 capture; convert it with editcap -F pcapng"),
		line("K12 text", "+---------+---------------+----------+\n", "is a Tektronix K12 text capture; convert it with editcap -F pcapng"),
		line("Sniffer", "TRSNIFF data    \x1a", "is a Sniffer capture; convert it with editcap -F pcapng"),
		line("NetXRay", "XCP\x00", "is a NetXRay capture; convert it with editcap -F pcapng"),
		line("OmniPeek", "\x7fver", "is an EtherPeek or OmniPeek capture; convert it with editcap -F pcapng"),
		line("Visual", "\x05VNF", "is a Visual Networks capture; convert it with editcap -F pcapng"),
		line("Observer", "ObserverPktBufferVersion=09.00", "is an Observer capture; convert it with editcap -F pcapng"),
		line("Ixia", "\xac\x01\x00\x1c", "is an Ixia capture; convert it with editcap -F pcapng"),
		line("xz", "\xfd7zXZ\x00", "is compressed with xz; decompress it first"),
		line("bzip2", "BZh91AY&SY", "is compressed with bzip2; decompress it first"),
		line("zip", "PK\x03\x04", "is a zip archive; unpack it first"),
	}
}

func pcapDamage() []damage {
	f := micro(little)
	one := join(f.header(), f.packet(1, 2, "one"))
	old := f
	old.major = 543
	wide := f
	wide.snap = 1 << 31
	return []damage{
		{name: "major version", file: two(old), line: "test: has pcap version 543.4; only version 2 is supported: convert it with editcap -F pcapng"},
		{name: "header", file: f.header()[:10], line: "test: the file header is not whole: 10 of 24 bytes are there"},
		{name: "first record header", file: join(f.header(), []byte("12345")), cut: true, line: "test: the file ends inside a record header: 5 of 16 bytes are there (at byte 24, before the first packet)"},
		{name: "record", file: join(one, f.packet(1, 2, "two!")[:18]), packets: 1, cut: true, line: "test: the file ends inside a record: 18 of 20 bytes are there (at byte 43, after packet 1)"},
		{name: "record without data", file: join(one, f.packet(1, 2, "two!")[:16]), packets: 1, cut: true, line: "test: the file ends inside a record: 16 of 20 bytes are there (at byte 43, after packet 1)"},
		{name: "length", file: join(one, f.record(1, 2, 1<<30, 3, "two")), packets: 1, line: "test: a record claims 1073741824 bytes of packet, above the limit of 262144; the file is damaged from here on (at byte 43, after packet 1)"},
		{name: "joined by cat", file: join(one, one), packets: 1, line: "test: another capture file begins here, as if by cat; read the files one by one, or join them with mergecap (at byte 43, after packet 1)"},
		{name: "length and snap length", file: join(wide.header(), f.record(1, 2, 1<<20+1, 3, "two")), line: "test: a record claims 1048577 bytes of packet, above the limit of 1048576; the file is damaged from here on (at byte 24, before the first packet)"},
	}
}

func ngDamage() []damage {
	o := ng{little}
	head := join(o.section(), o.device(1, 0)) // 28 + 20 bytes
	one := join(head, o.enhanced(0, 1, "one"))
	after := func(parts ...[]byte) []byte { return join(append([][]byte{one}, parts...)...) }
	edit := func(b []byte, at int, v uint32) []byte {
		o.PutUint32(b[at:], v)
		return b
	}
	two := func() []byte { return o.enhanced(0, 2, "two!") }
	const place = " (at byte 84, after packet 1)"
	var many []byte
	for range 4096 {
		many = append(many, o.device(1, 0)...)
	}
	return []damage{
		{name: "ng header", file: head[:16], line: "test: the file header is not whole: 16 of 28 bytes are there"},
		{name: "ng byte order", file: edit(o.section(), 8, 7), line: "test: a section header block has no byte-order magic; it is damaged"},
		{name: "ng version", file: edit(o.section(), 12, 7), line: "test: a section header block has pcapng version 7.0; only version 1 is supported"},
		{name: "ng second section", file: after(o.section()[:10]), packets: 1, cut: true, line: "test: the file ends inside a section header block: 10 of 28 bytes are there" + place},
		{name: "ng block header", file: after(two()[:7]), packets: 1, cut: true, line: "test: the file ends inside a block header: 7 of 8 bytes are there" + place},
		{name: "ng packet", file: after(two()[:30]), packets: 1, cut: true, line: "test: the file ends inside an enhanced packet block: 30 of 36 bytes are there" + place},
		{name: "ng skipped block", file: after(o.block(5, make([]byte, 40))[:20]), packets: 1, cut: true, line: "test: the file ends inside a block: 20 of 52 bytes are there" + place},
		{name: "ng skipped block's trailer", file: after(o.block(5, make([]byte, 40))[:50]), packets: 1, cut: true, line: "test: the file ends inside a block: 50 of 52 bytes are there" + place},
		{name: "ng odd length", file: after(edit(two(), 4, 37)), packets: 1, line: "test: an enhanced packet block claims to be 37 bytes long, which is not a multiple of 4" + place},
		{name: "ng odd skipped length", file: after(edit(o.block(5), 4, 14)), packets: 1, line: "test: a block claims to be 14 bytes long, which is not a multiple of 4" + place},
		{name: "ng short", file: after(edit(two(), 4, 28)), packets: 1, line: "test: an enhanced packet block claims to be 28 bytes long, too short for its fields" + place},
		{name: "ng short skipped", file: after(edit(o.block(5), 4, 8)), packets: 1, line: "test: a block claims to be 8 bytes long, too short for a block" + place},
		{name: "ng huge", file: after(edit(two(), 4, 0xfffffffc)), packets: 1, line: "test: an enhanced packet block claims to be 4294967292 bytes long, above the limit; the file is damaged from here on" + place},
		{name: "ng huge skipped", file: after(edit(o.block(5), 4, 0xfffffffc)), packets: 1, cut: true, line: "test: the file ends inside a block: 12 of 4294967292 bytes are there" + place},
		{name: "ng lengths differ", file: after(edit(two(), 32, 40)), packets: 1, line: "test: an enhanced packet block claims to be 36 bytes long, but 40 at its end; the file is damaged here" + place},
		{name: "ng skipped lengths differ", file: after(edit(o.block(5), 8, 40)), packets: 1, line: "test: a block claims to be 12 bytes long, but 40 at its end; the file is damaged here" + place},
		{name: "ng interface", file: after(o.enhanced(1, 2, "two!")), packets: 1, line: "test: a packet names interface 1, but its section describes only 1" + place},
		{name: "ng old interface", file: after(o.old(7, 2, "two!")), packets: 1, line: "test: a packet names interface 7, but its section describes only 1" + place},
		{name: "ng no interface", file: join(o.section(), o.simple(1, "x")), line: "test: a packet names interface 0, but its section describes only 0 (at byte 28, before the first packet)"},
		{name: "ng interfaces of an earlier section", file: after(o.section(), two()), packets: 1, line: "test: a packet names interface 0, but its section describes only 0 (at byte 112, after packet 1)"},
		{name: "ng captured length", file: after(edit(two(), 20, 5)), packets: 1, line: "test: a packet block claims 5 bytes of packet and has room for 4" + place},
		{name: "ng captured length huge", file: after(edit(two(), 20, 1<<31)), packets: 1, line: "test: a packet block claims 2147483648 bytes of packet, above the limit of 262144" + place},
		{name: "ng simple length", file: after(o.simple(9, "two!")), packets: 1, line: "test: a packet block claims 9 bytes of packet and has room for 4" + place},
		{name: "ng simple length huge", file: after(o.simple(1<<31, "two!")), packets: 1, line: "test: a packet block claims 2147483648 bytes of packet, above the limit of 262144" + place},
		{name: "ng option", file: after(o.enhanced(0, 2, "two!", o.u16(1, 9), o.u32(0))), packets: 1, line: "test: an option of a packet block goes beyond the block" + place},
		{name: "ng options", file: after(o.enhanced(0, 2, "two!", bytes.Repeat(o.option(2, "1234"), 1<<16))), packets: 1, line: "test: a packet block has 524288 bytes of options, above the limit of 262144" + place},
		{name: "ng interface option", file: after(o.device(1, 0, o.u16(2, 9))), packets: 1, line: "test: an option of an interface description block goes beyond the block" + place},
		{name: "ng if_tsresol", file: after(o.device(1, 0, o.option(9, "12"))), packets: 1, line: "test: option 9 of an interface description block has 2 bytes, an invalid size" + place},
		{name: "ng if_tsoffset", file: after(o.device(1, 0, o.option(14, "12"))), packets: 1, line: "test: option 14 of an interface description block has 2 bytes, an invalid size" + place},
		{name: "ng interfaces", file: after(many), packets: 1, line: "test: a section describes more than 4096 interfaces (at byte 81984, after packet 1)"},
	}
}

func packedDamage() []damage {
	f := micro(little)
	file := two(f)
	flipped := gz(file)
	flipped[len(flipped)-6] ^= 1 // in the checksum
	var wide bytes.Buffer
	w, _ := zstd.NewWriter(&wide, zstd.WithWindowSize(16<<20))
	write(w, make([]byte, 1<<20)) // written in pieces, so the frame header has the window size
	write(w, make([]byte, 1<<20))
	w.Close()
	const place = " (at byte 63 of the decompressed data, after packet 2)"
	const trailing = "; all packets before it were read"
	return []damage{
		{name: "gzip of nothing", file: gz(nil), line: "test: is empty"},
		{name: "gzip twice", file: gz(gz(file)), line: "test: is compressed twice; decompress it first"},
		{name: "zstd in gzip", file: gz(zst(file)), line: "test: is compressed twice; decompress it first"},
		{name: "gzip header", file: gz(file)[:5], cut: true, line: "test: the gzip data end early; the file is cut"},
		{name: "gzip cut", file: gz(file)[:len(gz(file))-3], packets: 2, cut: true, line: "test: the gzip data end early; the file is cut" + place},
		{name: "gzip cut in second member", file: join(gz(file), gz(file)[:1]), packets: 2, cut: true, line: "test: the gzip data end early; the file is cut" + place},
		{name: "gzip checksum", file: flipped, packets: 2, line: "test: the gzip data are damaged (gzip: invalid checksum)" + place},
		{name: "gzip and garbage", file: join(gz(file), []byte("x")), packets: 2, line: "test: the gzip data are followed by something else" + trailing + place},
		{name: "gzip of a cut file", file: gz(file[:60]), packets: 1, cut: true, line: "test: the file ends inside a record: 17 of 20 bytes are there (at byte 43 of the decompressed data, after packet 1)"},
		{name: "zstd cut", file: zst(file)[:len(zst(file))-3], packets: 2, cut: true, line: "test: the zstd data end early; the file is cut" + place},
		{name: "zstd and garbage", file: join(zst(file), []byte("garbage")), packets: 2, line: "test: the zstd data are followed by something else" + trailing + place},
		{name: "zstd window", file: wide.Bytes(), line: "test: the zstd data need more than 8 MiB of memory; decompress the file first with zstd -d --long=31"},
	}
}

// At any offset, a disk error is reported as neither a truncated file nor a clean end.
func TestReadError(t *testing.T) {
	broken := errors.New("input/output error")
	file := two(micro(little))
	for _, v := range []struct {
		head    []byte
		packets int
		line    string
	}{
		{nil, 0, "test: reading failed: input/output error"},
		{file[:20], 0, "test: reading failed: input/output error"},
		{file[:50], 1, "test: reading failed: input/output error (at byte 43, after packet 1)"},
		{file, 2, "test: reading failed: input/output error (at byte 63, after packet 2)"},
		{gz(file)[:len(gz(file))-3], 2, "test: reading failed: input/output error (at byte 63 of the decompressed data, after packet 2)"},
		{zst(file)[:10], 0, "test: reading failed: input/output error"},
	} {
		got, err := readFrom(io.MultiReader(bytes.NewReader(v.head), iotest.ErrReader(broken)))
		if len(got) != v.packets || err == nil || err.Error() != v.line || fault(err).Truncated || !errors.Is(err, broken) {
			t.Errorf("%d packets, %v; want %d, %s", len(got), err, v.packets, v.line)
		}
	}
}

// A reader that returns neither bytes nor an error must not block forever.
func TestNoProgress(t *testing.T) {
	_, err := readFrom(idle{})
	if !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }
