package anonymize_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/gopacket"
	gopacketlayers "github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/internal/anonymize"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

const captures = "../../testdata/pcap/"

func TestKeys(t *testing.T) {
	list := testcapture.Frames(t, captures+"bz24-admin.pcap")
	one, _ := anonymized(t, list, "one", false)
	again, _ := anonymized(t, list, "one", false)
	other, _ := anonymized(t, list, "other", false)
	if !cmp.Equal(one, again) {
		t.Error("the same key makes two different captures")
	}
	if cmp.Equal(one, other) {
		t.Error("two keys make the same capture")
	}
}

// withoutFrame removes the numbers of packets, because they change when packets are left out.
func withoutFrame(lines []string) []string {
	var out []string
	for _, line := range lines {
		_, rest, _ := strings.Cut(line, " ")
		out = append(out, rest)
	}
	return out
}

func TestOthersAreLeftOut(t *testing.T) {
	const noise = "nobody may see this"
	list := testcapture.Frames(t, captures+"tribes-v-list-40-snap120.pcap")
	var mixed []decode.Frame
	for i, f := range list {
		foreign := bytes.Clone(f.Data[:42]) // Ethernet, IPv4 and UDP headers
		binary.BigEndian.PutUint16(foreign[34:], 40000)
		binary.BigEndian.PutUint16(foreign[36:], 50000)
		binary.BigEndian.PutUint16(foreign[38:], uint16(8+len(noise)))
		binary.BigEndian.PutUint16(foreign[16:], uint16(28+len(noise)))
		foreign = append(foreign, noise...)
		mixed = append(mixed, f, decode.Frame{Data: foreign, Length: len(foreign), Time: f.Time, Link: f.Link, Number: i})
	}
	want := dissected(list, nil)
	for _, others := range []bool{false, true} {
		out, report := anonymized(t, mixed, "k", others)
		if left := map[bool]int{false: len(list), true: len(mixed)}[others]; len(out) != left || report.Dropped != int64(len(mixed)-left) {
			t.Errorf("%d packets are left, %+v", len(out), report)
		}
		for _, f := range out {
			if bytes.Contains(f.Data, []byte("nobody")) {
				t.Fatal("the content of another packet is still there")
			}
		}
		if d := cmp.Diff(withoutFrame(want), withoutFrame(dissected(out, nil))); !others && d != "" {
			t.Error(d)
		}
	}
}

// TestChecksums checks that correct checksums stay correct, and that wrong ones stay wrong.
func TestChecksums(t *testing.T) {
	for _, name := range []string{"bz17-c-joinleave.pcap", "bz17-var-ipfrag.pcap", "bz24-admin.pcap", "tribes-list-40.pcap", "iceball-real-session.frag.pcap"} {
		list := testcapture.Frames(t, captures+name)
		out, _ := anonymized(t, list, "k", true)
		checked := 0
		for i := range list {
			before, after := rightSums(list[i].Data), rightSums(out[i].Data)
			if before != after {
				t.Fatalf("%s, packet %d: right checksums: %v before, %v after", name, i+1, before, after)
			}
			if before[0] {
				checked++
			}
		}
		if checked == 0 {
			t.Errorf("%s: no IP checksum is right", name)
		}
	}
}

// TestUnfinishedChecksums uses captures on the sending host, whose network device completes the checksums later.
// Anonymizing must not add wrong checksums.
func TestUnfinishedChecksums(t *testing.T) {
	for _, name := range []string{"bz17-c-violations.pcap", "bz17-var-ipfrag.pcap"} {
		wrong := func(list []decode.Frame) int {
			n := 0
			for i := range list {
				var p ip.Packet
				if ip.Find(ip.LinkEthernet, list[i].Data, len(list[i].Data), &p) == ip.Found {
					if right, known := p.Checksum(); known && !right {
						n++
					}
				}
			}
			return n
		}
		list := testcapture.Frames(t, captures+name)
		out, _ := anonymized(t, list, "k", true)
		if before, after := wrong(list), wrong(out); before != after {
			t.Errorf("%s: %d packets with wrong checksums, %d in the original", name, after, before)
		}
	}
}

// rightSums reports whether the checksums of IP, and of UDP or TCP, are the same as gopacket's.
func rightSums(data []byte) (right [2]bool) {
	p := gopacket.NewPacket(data, gopacketlayers.LayerTypeEthernet, gopacket.DecodeOptions{Lazy: false})
	ip, ok := p.NetworkLayer().(*gopacketlayers.IPv4)
	if !ok {
		return right
	}
	b := gopacket.NewSerializeBuffer()
	was := ip.Checksum
	if err := ip.SerializeTo(b, gopacket.SerializeOptions{ComputeChecksums: true}); err != nil {
		return right
	}
	right[0] = ip.Checksum == was
	switch t := p.TransportLayer().(type) {
	case *gopacketlayers.UDP:
		was = t.Checksum
		_ = t.SetNetworkLayerForChecksum(ip)
		right[1] = was != 0 && computed(t, t.Payload) == was
	case *gopacketlayers.TCP:
		was = t.Checksum
		_ = t.SetNetworkLayerForChecksum(ip)
		right[1] = computed(t, t.Payload) == was
	}
	return right
}

func computed(l gopacket.SerializableLayer, payload []byte) uint16 {
	b := gopacket.NewSerializeBuffer()
	if gopacket.SerializeLayers(b, gopacket.SerializeOptions{ComputeChecksums: true}, l, gopacket.Payload(payload)) != nil {
		return 0
	}
	switch l := l.(type) {
	case *gopacketlayers.UDP:
		return l.Checksum
	case *gopacketlayers.TCP:
		return l.Checksum
	}
	return 0
}

func TestLimit(t *testing.T) {
	a := anonymize.New(anonymize.Options{Protocols: layers.All(), Limit: 1000})
	var err error
	for _, f := range testcapture.Frames(t, captures+"bz24-admin.pcap") {
		if err = a.Learn(&f); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "in pieces") {
		t.Errorf("the limit has no effect: %v", err)
	}
}

// FuzzCapture changes a real capture. It looks for crashes, and for packets whose length changes.
func FuzzCapture(f *testing.F) {
	var all [][]decode.Frame
	for i, name := range []string{"bz17-var-overlap.pcap", "iceball-real-session.frag.pcap", "tribes-v-list-40-sll2.pcap", "bz24-admin.pcap", "bz17-var-vlan.pcap"} {
		list := testcapture.Frames(f, captures+name)
		all = append(all, list[:min(len(list), 60)])
		f.Add(uint8(i), []byte{3, 20, 0x45, 9, 40, 7})
		f.Add(uint8(i), []byte{})
	}
	f.Fuzz(func(t *testing.T, which uint8, changes []byte) {
		var list []decode.Frame
		for _, frame := range all[int(which)%len(all)] {
			frame.Data = bytes.Clone(frame.Data)
			list = append(list, frame)
		}
		for ; len(changes) >= 3; changes = changes[3:] {
			data := &list[int(changes[0])%len(list)].Data
			if at := int(changes[1]); at < len(*data) {
				(*data)[at] = changes[2]
			} else {
				*data = (*data)[:min(len(*data), int(changes[2]))]
			}
		}
		out, _ := anonymized(t, list, "k", true)
		if len(out) != len(list) {
			t.Fatalf("%d packets become %d", len(list), len(out))
		}
		for i := range out {
			if len(out[i].Data) != len(list[i].Data) {
				t.Fatalf("packet %d: %d bytes become %d", i, len(list[i].Data), len(out[i].Data))
			}
		}
	})
}
