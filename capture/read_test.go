package capture_test

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/capture"
)

// with returns f changed by edit.
func with(f pcapFile, edit func(*pcapFile)) pcapFile {
	edit(&f)
	return f
}

// two returns a file with two small packets.
func two(f pcapFile) []byte {
	return join(f.header(), f.packet(1, 2, "one"), f.packet(3, 4, "two!"))
}

func packet(number int, time int64, data string) capture.Packet {
	return capture.Packet{
		Data: []byte(data), Length: len(data), Time: time, LinkType: 1, Number: number, File: "test",
	}
}

var twoPackets = []capture.Packet{packet(1, 1e9+2000, "one"), packet(2, 3e9+4000, "two!")}

func edited(p capture.Packet, edit func(*capture.Packet)) capture.Packet {
	edit(&p)
	return p
}

type variant struct {
	name string
	file []byte
	want []capture.Packet
}

// variants returns intact files, one per variant of the formats.
func variants() []variant {
	nano := []capture.Packet{packet(1, 1e9+2, "one"), packet(2, 3e9+4, "two!")}
	l, b := micro(little), micro(big)
	magic := func(m uint32) func(*pcapFile) { return func(f *pcapFile) { f.magic = m } }
	minor := func(m uint16) func(*pcapFile) { return func(f *pcapFile) { f.minor = m } }
	link := func(n uint32) func(*pcapFile) { return func(f *pcapFile) { f.link = n } }
	snap := func(n uint32) func(*pcapFile) { return func(f *pcapFile) { f.snap = n } }
	long := strings.Repeat("x", 300_000)
	raw := func(p *capture.Packet) { p.LinkType = 101 }
	length := func(n int) func(*capture.Packet) { return func(p *capture.Packet) { p.Length = n } }
	return append(ngVariants(), []variant{
		{"pcap", two(l), twoPackets},
		{"pcap big endian", two(b), twoPackets},
		{"pcap nanoseconds", two(with(l, magic(0xa1b23c4d))), nano},
		{"pcap nanoseconds big endian", two(with(b, magic(0xa1b23c4d))), nano},
		{"pcap modified", two(with(l, magic(0xa1b2cd34))), twoPackets},
		{"pcap modified big endian", two(with(b, magic(0xa1b2cd34))), twoPackets},
		{"pcap without packets", l.header(), nil},
		{"pcap with FCS bits", two(with(l, link(0x24000000|101))), []capture.Packet{edited(twoPackets[0], raw), edited(twoPackets[1], raw)}},
		{"pcap 2.2", join(with(l, minor(2)).header(), l.record(1, 2, 10, 3, "one")),
			[]capture.Packet{edited(twoPackets[0], length(10))}},
		{"pcap 2.2 length below captured", join(with(l, minor(2)).header(), l.record(1, 2, 1, 3, "one")), twoPackets[:1]},
		{"pcap 2.3 swapped", join(with(l, minor(3)).header(), l.record(1, 2, 10, 3, "one")),
			[]capture.Packet{edited(twoPackets[0], length(10))}},
		{"pcap 2.3", join(with(l, minor(3)).header(), l.record(1, 2, 3, 10, "one")),
			[]capture.Packet{edited(twoPackets[0], length(10))}},
		{"pcap cut by the snap length", join(l.header(), l.record(1, 2, 3, 10, "one")),
			[]capture.Packet{edited(twoPackets[0], length(10))}},
		{"pcap length below captured", join(l.header(), l.record(1, 2, 3, 0, "one")), twoPackets[:1]},
		{"pcap beyond the snap length", join(with(l, snap(2)).header(), l.packet(1, 2, "one")), twoPackets[:1]},
		{"pcap fraction above one second", join(l.header(), l.packet(1, 2_500_000, "one")), []capture.Packet{packet(1, 3.5e9, "one")}},
		{"pcap last time", join(l.header(), l.packet(math.MaxUint32, 999_999, "one")), []capture.Packet{packet(1, 4294967295_999999000, "one")}},
		{"pcap empty packet", join(l.header(), l.packet(1, 2, "")), []capture.Packet{packet(1, 1e9+2000, "")}},
		{"pcap large packets", join(with(l, snap(1<<20)).header(), l.packet(1, 2, long), l.packet(3, 4, "two!")),
			[]capture.Packet{packet(1, 1e9+2000, long), twoPackets[1]}},
		{"gzip", gz(two(l)), twoPackets},
		{"gzip of several members", join(gz(two(l)[:30]), gz(nil), gz(two(l)[30:])), twoPackets},
		{"zstd", zst(two(b)), twoPackets},
		{"zstd of several frames", join(zst(two(l)[:30]), zst(two(l)[30:])), twoPackets},
		{"zstd after a skippable frame", join([]byte("\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"), zst(two(l))), twoPackets},
	}...)
}

func ngVariants() []variant {
	l, b := ng{little}, ng{big}
	eth, rawIP := l.device(1, 0), l.device(101, 0)
	second := func(o ng, res string) []byte { return o.device(1, 0, o.option(9, res)) }
	on := func(id int, link capture.LinkType, comments ...string) func(*capture.Packet) {
		return func(p *capture.Packet) { p.Interface, p.LinkType, p.Comments = id, link, comments }
	}
	one, last := packet(1, 1000, "one"), packet(2, 2000, "two!")
	offset := l.AppendUint64(nil, ^uint64(0)) // -1 s
	return []variant{
		{"pcapng", join(l.section(), eth, l.enhanced(0, 1, "one"), l.enhanced(0, 2, "two!")), []capture.Packet{one, last}},
		{"pcapng big endian", join(b.section(), b.device(1, 0), b.enhanced(0, 1, "one"), b.enhanced(0, 2, "two!")), []capture.Packet{one, last}},
		{"pcapng old packet block", join(l.section(), eth, l.old(0, 1, "one", l.option(1, "hi")), l.old(0, 2, "two!")),
			[]capture.Packet{edited(one, on(0, 1, "hi")), last}},
		{"pcapng simple packet block", join(l.section(), l.device(1, 4), l.simple(10, "two!"), l.enhanced(0, 2, "two!"), l.simple(3, "one")),
			[]capture.Packet{edited(packet(1, 0, "two!"), func(p *capture.Packet) { p.Length = 10 }), last, packet(3, 2000, "one")}},
		{"pcapng interfaces", join(l.section(), eth, rawIP, l.enhanced(1, 1, "one"), l.enhanced(0, 2, "two!")),
			[]capture.Packet{edited(one, on(1, 101)), last}},
		{"pcapng sections", join(l.section(), eth, l.enhanced(0, 1, "one"), b.section(), b.device(101, 0), b.device(113, 0), b.enhanced(1, 2, "two!")),
			[]capture.Packet{one, edited(last, on(2, 113))}},
		{"pcapng comments", join(l.section(), eth, l.enhanced(0, 1, "one", l.option(1, "first"), l.option(2, "flag"), l.option(1, "\xff"), l.option(0, ""), l.option(1, "after the end"))),
			[]capture.Packet{edited(one, on(0, 1, "first", "\xff"))}},
		{"pcapng without end of options", join(l.section(), eth, l.enhanced(0, 1, "one", l.option(1, "c"))), []capture.Packet{edited(one, on(0, 1, "c"))}},
		{"pcapng nanoseconds", join(l.section(), second(l, "\x09"), l.enhanced(0, 1, "one")), []capture.Packet{packet(1, 1, "one")}},
		{"pcapng seconds", join(b.section(), second(b, "\x00"), b.enhanced(0, 1, "one")), []capture.Packet{packet(1, 1e9, "one")}},
		{"pcapng 2^-1", join(l.section(), second(l, "\x81"), l.enhanced(0, 1, "one")), []capture.Packet{packet(1, 5e8, "one")}},
		{"pcapng 2^-127", join(l.section(), second(l, "\xff"), l.enhanced(0, 1<<63, "one")), []capture.Packet{packet(1, 0, "one")}},
		{"pcapng 10^-80", join(l.section(), second(l, "\x50"), l.enhanced(0, 1<<63, "one")), []capture.Packet{packet(1, 0, "one")}},
		{"pcapng time beyond 64 bits", join(l.section(), second(l, "\x00"), l.enhanced(0, 1<<63, "one")), []capture.Packet{packet(1, math.MaxInt64, "one")}},
		{"pcapng time offset", join(l.section(), l.device(1, 0, l.option(14, string(offset))), l.enhanced(0, 1, "one")), []capture.Packet{packet(1, 1000-1e9, "one")}},
		{"pcapng blocks of no interest", join(l.section(), eth, l.block(4, make([]byte, 300_000)), l.block(5), l.block(0xbad), l.enhanced(0, 1, "one")), []capture.Packet{one}},
		{"pcapng large packet", join(l.section(), l.device(1, 1<<20), l.enhanced(0, 1, strings.Repeat("x", 1<<20))), []capture.Packet{packet(1, 1000, strings.Repeat("x", 1<<20))}},
		{"pcapng in gzip", gz(join(l.section(), eth, l.enhanced(0, 1, "one"))), []capture.Packet{one}},
		{"pcapng in zstd", zst(join(l.section(), eth, l.enhanced(0, 1, "one"))), []capture.Packet{one}},
	}
}

// placed checks the offsets of a variant's packets in the file, and then clears them for later comparisons.
func placed(t *testing.T, v variant, packets []capture.Packet) {
	t.Helper()
	packed := strings.Contains(v.name, "zip") || strings.Contains(v.name, "zstd")
	for i := range packets {
		p := &packets[i]
		switch {
		case packed != (p.Offset == 0):
			t.Errorf("%s: packet %d is at %d", v.name, p.Number, p.Offset)
		case !packed && !bytes.HasPrefix(v.file[p.Offset:], p.Data):
			t.Errorf("%s: packet %d is not at %d", v.name, p.Number, p.Offset)
		}
		p.Offset = 0
	}
}

func TestVariants(t *testing.T) {
	for _, v := range variants() {
		t.Run(v.name, func(t *testing.T) {
			got, err := read(v.file)
			if err != nil {
				t.Error(err)
			}
			placed(t, v, got)
			if !reflect.DeepEqual(got, v.want) { // cmp is slow with large packets
				t.Errorf("-want +got\n%.2000s", cmp.Diff(v.want, got))
			}
		})
	}
}

func TestFormat(t *testing.T) {
	o := ng{little}
	pcapng := join(o.section(), o.device(1, 0))
	for want, file := range map[string][]byte{
		"pcap": two(micro(little)), "pcap in gzip": gz(two(micro(big))), "pcap in zstd": zst(two(micro(little))),
		"pcapng": pcapng, "pcapng in gzip": gz(pcapng), "pcapng in zstd": zst(pcapng),
	} {
		f := open(t, file)
		if got := f.Format(); got != want {
			t.Errorf("format is %q, want %q", got, want)
		}
		if _, err := readAll(f); err != nil {
			t.Error(err)
		}
		if f.Offset() != int64(len(file)) || f.Size() != 0 || f.Name() != "test" {
			t.Errorf("%s: read %d of %d bytes, size %d, name %q", want, f.Offset(), len(file), f.Size(), f.Name())
		}
	}
}

func TestLinkTypeString(t *testing.T) {
	for link, want := range map[capture.LinkType]string{1: "Ethernet", 276: "Linux cooked v2", 147: "link type 147"} {
		if got := link.String(); got != want {
			t.Errorf("%d is %q, want %q", uint16(link), got, want)
		}
	}
}
