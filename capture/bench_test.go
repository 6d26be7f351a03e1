package capture_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

// flow returns captures of n packets of about 300 bytes, as pcap and as pcapng.
func flow(n int) (pcap, pcapng []byte) {
	data := string(bytes.Repeat([]byte("packet"), 50))
	p := micro(little)
	o := ng{little}
	pcap = p.header()
	pcapng = join(o.section(), o.device(1, 0))
	for i := range n {
		size := 284 + i%16
		pcap = append(pcap, p.packet(uint32(i), 0, data[:size])...)
		pcapng = append(pcapng, o.enhanced(0, uint64(i)*1e6, data[:size])...)
	}
	return pcap, pcapng
}

// drain reads all packets of a file and returns their number.
func drain(b *testing.B, file []byte) int {
	f, err := capture.NewReader(bytes.NewReader(file), "bench")
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var p capture.Packet
	for n := 0; ; n++ {
		switch err := f.Next(&p); err {
		case nil:
		case io.EOF:
			return n
		default:
			b.Fatal(err)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	const packets = 100_000
	pcap, pcapng := flow(packets)
	for _, v := range []struct {
		name string
		file []byte
	}{{"pcap", pcap}, {"pcapng", pcapng}, {"pcap in gzip", gz(pcap)}, {"pcap in zstd", zst(pcap)}} {
		b.Run(v.name, func(b *testing.B) {
			b.SetBytes(int64(len(pcap)))
			b.ReportAllocs()
			for b.Loop() {
				if n := drain(b, v.file); n != packets {
					b.Fatalf("read %d packets", n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/packets, "ns/packet")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	p := capture.Packet{Data: bytes.Repeat([]byte("packet"), 50), Length: 300, LinkType: 1, File: "input"}
	for _, format := range []string{"pcap", "pcapng"} {
		b.Run(format, func(b *testing.B) {
			w, err := capture.NewWriter(io.Discard, "bench", capture.WriterOptions{Format: format})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(p.Data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := w.Write(&p, "comment"); err != nil {
					b.Fatal(err)
				}
				p.Time += 1000
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "packets/s")
		})
	}
}

// Writing a packet allocates no memory.
func TestWriteAllocates(t *testing.T) {
	p := capture.Packet{Data: bytes.Repeat([]byte("packet"), 50), LinkType: 1, File: "input", Comments: []string{"own"}}
	for _, format := range []string{"pcap", "pcapng"} {
		w, err := capture.NewWriter(io.Discard, "test", capture.WriterOptions{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		writeMany := func() {
			for range 1000 {
				if err := w.Write(&p, "comment"); err != nil {
					t.Fatal(err)
				}
			}
		}
		writeMany()
		if n := testing.AllocsPerRun(5, writeMany); n > 0 {
			t.Errorf("%s: %v allocations for a thousand packets", format, n)
		}
	}
}
