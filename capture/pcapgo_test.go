package capture_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
)

// generated returns packets of many sizes at increasing times.
func generated(n int, unit time.Duration) (infos []gopacket.CaptureInfo, data [][]byte) {
	rnd := rand.New(rand.NewPCG(5, 6))
	at := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for range n {
		at = at.Add(time.Duration(rnd.Int64N(2e9)).Truncate(unit))
		b := make([]byte, rnd.IntN(1600))
		if rnd.IntN(500) == 0 {
			b = make([]byte, rnd.IntN(200_000))
		}
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		infos = append(infos, gopacket.CaptureInfo{Timestamp: at, CaptureLength: len(b), Length: len(b) + rnd.IntN(2)*rnd.IntN(99)})
		data = append(data, b)
	}
	return infos, data
}

// other is an independent reader.
type other interface {
	ReadPacketData() ([]byte, gopacket.CaptureInfo, error)
}

// sameAs compares the packets that this package reads from a file with the packets that another reader returns.
func sameAs(t *testing.T, file []byte, theirs other, want int) {
	t.Helper()
	ours, err := read(file)
	if err != nil || len(ours) != want {
		t.Fatalf("read %d of %d packets: %v", len(ours), want, err)
	}
	for i, p := range ours {
		data, info, err := theirs.ReadPacketData()
		if err != nil {
			t.Fatalf("packet %d: %v", i+1, err)
		}
		if !bytes.Equal(p.Data, data) || p.Length != info.Length || p.Time != info.Timestamp.UnixNano() || p.Interface != info.InterfaceIndex {
			t.Fatalf("packet %d: %d bytes of %d at %d on %d, pcapgo has %+v", i+1, len(p.Data), p.Length, p.Time, p.Interface, info)
		}
	}
	if _, _, err := theirs.ReadPacketData(); err != io.EOF {
		t.Errorf("pcapgo returns more packets: %v", err)
	}
}

// TestAgainstPcapgo reads files that an independent writer has written.
func TestAgainstPcapgo(t *testing.T) {
	const packets = 5000
	for name, create := range map[string]func(io.Writer) *pcapgo.Writer{
		"microseconds": pcapgo.NewWriter, "nanoseconds": pcapgo.NewWriterNanos,
	} {
		t.Run(name, func(t *testing.T) {
			infos, data := generated(packets, map[string]time.Duration{"microseconds": 1000, "nanoseconds": 1}[name])
			var file bytes.Buffer
			w := create(&file)
			if err := w.WriteFileHeader(262144, layers.LinkTypeEthernet); err != nil {
				t.Fatal(err)
			}
			for i := range infos {
				if err := w.WritePacket(infos[i], data[i]); err != nil {
					t.Fatal(err)
				}
			}
			theirs, err := pcapgo.NewReader(bytes.NewReader(file.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			sameAs(t, file.Bytes(), theirs, packets)
		})
	}
}

func TestAgainstPcapgoNg(t *testing.T) {
	const packets = 5000
	infos, data := generated(packets, 1)
	var file bytes.Buffer
	w, err := pcapgo.NewNgWriter(&file, layers.LinkTypeEthernet)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddInterface(pcapgo.NgInterface{LinkType: layers.LinkTypeEthernet, TimestampResolution: 9}); err != nil {
		t.Fatal(err)
	}
	for i := range infos {
		infos[i].InterfaceIndex = i % 2
		if err := w.WritePacket(infos[i], data[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	theirs, err := pcapgo.NewNgReader(bytes.NewReader(file.Bytes()), pcapgo.NgReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sameAs(t, file.Bytes(), theirs, packets)
}
