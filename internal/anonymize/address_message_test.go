package anonymize_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/privacy"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

// listed returns the addresses in lists of servers.
func listed(list []decode.Frame) (found [][4]byte) {
	e := decode.New(decode.Options{Protocols: layers.All(), Message: func(m *decode.Message) {
		privacy.EachField(m.Tree(), func(path string, n *wire.Node) {
			if path == "servers.ip" {
				found = append(found, [4]byte(n.Bytes))
			}
		})
	}})
	for i := range list {
		e.Frame(&list[i])
	}
	e.Close()
	return found
}

// TestAddressesInMessages puts public addresses into a list of servers, because no capture has such a list.
func TestAddressesInMessages(t *testing.T) {
	list := testcapture.Frames(t, captures+"tribes-list-40.pcap")
	network := []byte{93, 184, 216}
	for i := range list {
		list[i].Data = bytes.ReplaceAll(list[i].Data, []byte{6, 127, 10, 0}, append([]byte{6}, network...))
	}
	before := listed(list)
	out, _ := anonymized(t, list, "k", false)
	after := listed(out)
	if len(before) == 0 || len(after) != len(before) || !bytes.Equal(before[0][:3], network) {
		t.Fatalf("%d addresses before, %d after", len(before), len(after))
	}
	same := make(map[[4]byte][4]byte)
	for i := range before {
		if bytes.Equal(after[i][:3], network) || !bytes.Equal(after[i][:3], after[0][:3]) {
			t.Fatalf("%v becomes %v, %v %v", before[i], after[i], before[0], after[0])
		}
		if old, ok := same[before[i]]; ok && old != after[i] {
			t.Fatalf("%v becomes %v and %v", before[i], old, after[i])
		}
		same[before[i]] = after[i]
	}
}

// joined joins the fragments of IPv4 datagrams in Ethernet frames.
func joined(list []decode.Frame) map[uint16][]byte {
	const header = 14 + 20
	whole := make(map[uint16][]byte)
	for _, f := range list {
		l, ok := ip.Locate(f.Link, f.Data, f.Length)
		if !ok || !l.Fragment {
			continue
		}
		id := binary.BigEndian.Uint16(f.Data[18:])
		b := whole[id]
		if b == nil {
			b = bytes.Clone(f.Data[:header])
			binary.BigEndian.PutUint16(b[20:], 0)
		}
		if end := header + l.Offset + l.End - l.Transport; end > len(b) {
			b = append(b, make([]byte, end-len(b))...)
		}
		copy(b[header+l.Offset:], f.Data[l.Transport:l.End])
		binary.BigEndian.PutUint16(b[16:], uint16(len(b)-14))
		whole[id] = b
	}
	return whole
}

func TestChecksumsOfFragments(t *testing.T) {
	right, changed := 0, 0 // captures on loopback devices may have wrong checksums
	for _, name := range []string{"bz17-var-ipfrag.pcap", "iceball-real-session.frag.pcap"} {
		list := testcapture.Frames(t, captures+name)
		out, _ := anonymized(t, list, "k", true)
		after := joined(out)
		for id, b := range joined(list) {
			if x, y := rightSums(b)[1], rightSums(after[id])[1]; x != y {
				t.Fatalf("%s, datagram %d: the checksum is right before: %v, after: %v", name, id, x, y)
			} else if x {
				right++
			}
			if !bytes.Equal(b[34:], after[id][34:]) {
				changed++
			}
		}
	}
	if right == 0 || changed == 0 {
		t.Errorf("%d checksums are right, %d datagrams are changed", right, changed)
	}
}
