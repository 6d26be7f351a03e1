package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/gopacket"
	pcaplayers "github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// readPackets reads all packets of a capture.
func readPackets(t *testing.T, name string) []capture.Packet {
	t.Helper()
	list, err := readAll(name)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// countDecoded counts messages by name and findings by rule.
func countDecoded(list []capture.Packet) map[string]int {
	n := make(map[string]int)
	e := decode.New(decode.Options{
		Protocols: protocols.All(),
		Message: func(m *decode.Message) {
			n[m.Protocol.Name+" "+m.Name]++
			for _, f := range m.Findings {
				n[f.Rule.ID]++
			}
		},
		Finding: func(f *wire.TrafficFinding) { n[f.Rule.ID]++ },
	})
	for i := range list {
		p := &list[i]
		e.Frame(&decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: i + 1})
	}
	e.Close()
	return n
}

// multiplied returns the packets of copies of a capture.
func multiplied(t *testing.T, copies int, name string) []capture.Packet {
	t.Helper()
	to := filepath.Join(t.TempDir(), "out.pcap")
	if err := run(t.Context(), []string{"copies", strconv.Itoa(copies), name, to}, io.Discard, nil); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return readPackets(t, to)
}

// N copies have N times the messages and findings. A single copy has the same bytes.
func TestCopies(t *testing.T) {
	for _, name := range []string{"iceball-real-session.frag.pcap", "iceball-badv.pcapng", "tribes-list-40.pcap", "bloodmasters-malformed.pcap"} {
		file := filepath.Join("../../testdata/pcap", name)
		list := readPackets(t, file)
		for i, p := range multiplied(t, 1, file) {
			if !bytes.Equal(p.Data, list[i].Data) || p.Time != list[i].Time || p.Length != list[i].Length {
				t.Fatalf("%s: packet %d of the only copy differs", name, i+1)
			}
		}
		const copies = 3
		all := multiplied(t, copies, file)
		for i := range all {
			if all[i].Time != list[i/copies].Time {
				t.Fatalf("%s: packet %d has a different time from packet %d of the original", name, i+1, i/copies+1)
			}
		}
		want := countDecoded(list)
		for what := range want {
			want[what] *= copies
		}
		if got := countDecoded(all); len(want) < 2 || !maps.Equal(got, want) {
			t.Errorf("%s: three copies have\n%v\nwant\n%v", name, got, want)
		}
	}
}

// linkForms are the link headers to test before an IP packet, by EtherType.
var linkForms = map[string]struct {
	link   capture.LinkType
	header func(etherType uint16) []byte
}{
	"raw":      {ip.LinkRaw, func(uint16) []byte { return nil }},
	"Ethernet": {ip.LinkEthernet, func(e uint16) []byte { return appendNumbers(make([]byte, 12), e) }},
	"VLAN":     {ip.LinkEthernet, func(e uint16) []byte { return appendNumbers(appendNumbers(make([]byte, 12), 0x8100, 5), e) }},
	"QinQ": {ip.LinkEthernet, func(e uint16) []byte {
		return appendNumbers(appendNumbers(make([]byte, 12), 0x88a8, 9, 0x8100, 5), e)
	}},
	"SLL":  {ip.LinkSLL, func(e uint16) []byte { return appendNumbers(make([]byte, 14), e) }},
	"SLL2": {ip.LinkSLL2, func(e uint16) []byte { return append(appendNumbers(nil, e), make([]byte, 18)...) }},
	"null": {ip.LinkNull, func(e uint16) []byte { return []byte{map[uint16]byte{0x800: 2, 0x86dd: 24}[e], 0, 0, 0} }},
}

func appendNumbers(b []byte, numbers ...uint16) []byte {
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint16(b, n)
	}
	return b
}

// ipPacket makes a UDP or TCP packet with correct checksums.
func ipPacket(t *testing.T, src, dst string, isTCP bool) []byte {
	t.Helper()
	a, b := netip.MustParseAddr(src), netip.MustParseAddr(dst)
	protocol := pcaplayers.IPProtocolUDP
	if isTCP {
		protocol = pcaplayers.IPProtocolTCP
	}
	v4 := &pcaplayers.IPv4{Version: 4, TTL: 9, Protocol: protocol, SrcIP: a.AsSlice(), DstIP: b.AsSlice()}
	v6 := &pcaplayers.IPv6{Version: 6, HopLimit: 9, NextHeader: protocol, SrcIP: a.AsSlice(), DstIP: b.AsSlice()}
	udp, tcp := &pcaplayers.UDP{SrcPort: 5, DstPort: 6}, &pcaplayers.TCP{SrcPort: 5, DstPort: 6, ACK: true}
	list := []gopacket.SerializableLayer{v4, udp, gopacket.Payload("odd number of bytes")}
	var network gopacket.NetworkLayer = v4
	if a.Is6() {
		list[0], network = v6, v6
	}
	if isTCP {
		list[1] = tcp
	}
	if udp.SetNetworkLayerForChecksum(network) != nil || tcp.SetNetworkLayerForChecksum(network) != nil {
		t.Fatal("no network layer")
	}
	buf := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, list...); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// checkSums finds wrong checksums of a complete IP packet that carries UDP or TCP. It adds up the whole packet.
func checkSums(t *testing.T, data []byte) {
	t.Helper()
	header, protocol := data[:min(20, len(data))], data[9]
	if data[0]>>4 == 6 {
		header, protocol = data[:40], data[6]
	} else if sum := addUp(header); sum != 0xffff {
		t.Errorf("the header of % x adds up to %#x", data, sum)
	}
	src, dst := ip.Addresses(data)
	content := data[len(header):]
	pseudo := binary.BigEndian.AppendUint32(append(bytes.Clone(src), dst...), uint32(len(content)))
	pseudo = binary.BigEndian.AppendUint32(pseudo, uint32(protocol))
	if sum := addUp(append(pseudo, content...)); sum != 0xffff {
		t.Errorf("% x adds up to %#x", data, sum)
	}
}

// addUp adds 16 bits at a time, with end-around carry.
func addUp(b []byte) (sum uint32) {
	for i, x := range b {
		sum += uint32(x) << (8 * (1 - i%2))
		sum = sum>>16 + sum&0xffff
	}
	return sum
}

// For every link type, correct checksums must stay correct. Each copy must have its own hosts in the original's block.
func TestCopiesChecksums(t *testing.T) {
	const copies = 300
	for name, form := range linkForms {
		for _, hosts := range [][2]string{
			{"10.0.0.7", "127.3.4.5"}, {"192.168.1.1", "172.16.0.1"}, {"8.8.8.8", "100.64.1.2"}, {"2001:db8::7", "fe80::9"},
		} {
			for _, isTCP := range []bool{false, true} {
				packet := ipPacket(t, hosts[0], hosts[1], isTCP)
				checkSums(t, packet)
				frame := append(form.header(map[byte]uint16{4: 0x800, 6: 0x86dd}[packet[0]>>4]), packet...)
				m := newMultiplier(copies)
				seen := make(map[string]bool)
				for n := range copies {
					got, err := m.copyOf(frame, len(frame), form.link, n)
					if err != nil {
						t.Fatal(err)
					}
					data := got[len(frame)-len(packet):]
					checkSums(t, data)
					src, dst := ip.Addresses(data)
					if seen[string(src)] || seen[string(dst)] {
						t.Fatalf("%s: copy %d of %v shares a host", name, n, hosts)
					}
					seen[string(src)], seen[string(dst)] = true, true
					for i, b := range [][]byte{src, dst} {
						a, _ := netip.AddrFromSlice(b)
						if o := netip.MustParseAddr(hosts[i]); a.IsPrivate() != o.IsPrivate() || a.IsLoopback() != o.IsLoopback() ||
							a.IsLinkLocalUnicast() != o.IsLinkLocalUnicast() || a.IsMulticast() {
							t.Errorf("%v became %v", o, a)
						}
					}
				}
				if n := len(m.hosts); n != 2 {
					t.Errorf("%s: %d hosts are remembered", name, n)
				}
			}
		}
	}
}

// Fragments get the hosts of their datagram. The first fragment, which has the checksum, gets the correct one. A wrong
// checksum stays wrong.
func TestCopiesFragments(t *testing.T) {
	whole := ipPacket(t, "10.0.0.7", "10.0.0.8", false)
	fragment := func(from, to int, field uint16) []byte {
		f := append(bytes.Clone(whole[:20]), whole[20+from:20+to]...)
		binary.BigEndian.PutUint16(f[2:], uint16(len(f)))
		binary.BigEndian.PutUint16(f[6:], field)
		binary.BigEndian.PutUint16(f[10:], 0)
		binary.BigEndian.PutUint16(f[10:], ^uint16(addUp(f[:20])))
		return f
	}
	const more = 0x2000
	size := len(whole) - 20
	m := newMultiplier(7)
	var joined []byte
	for _, f := range [][]byte{fragment(0, 8, more), fragment(8, 16, more|1), fragment(16, size, 2)} {
		got, err := m.copyOf(f, len(f), ip.LinkRaw, 5)
		if err != nil {
			t.Fatal(err)
		}
		if sum := addUp(got[:20]); sum != 0xffff {
			t.Errorf("the header of % x adds up to %#x", got, sum)
		}
		if joined == nil {
			joined = append(joined, whole[:12]...)
			joined = append(joined, got[12:20]...)
			copy(joined[10:12], []byte{0, 0})
			binary.BigEndian.PutUint16(joined[10:], ^uint16(addUp(joined)))
		} else if !bytes.Equal(joined[12:20], got[12:20]) {
			t.Errorf("a fragment has the hosts % x, but the first fragment has % x", got[12:20], joined[12:20])
		}
		joined = append(joined, got[20:]...)
	}
	checkSums(t, joined)
	whole[26] ^= 1
	got, err := m.copyOf(whole, len(whole), ip.LinkRaw, 5)
	if err != nil {
		t.Fatal(err)
	}
	if old, sum := binary.BigEndian.Uint16(whole[26:]), binary.BigEndian.Uint16(got[26:]); sum^old == 0 {
		t.Error("a wrong checksum did not change with the hosts")
	}
	got[26] ^= 1
	if sum := addUp(got[:20]); sum != 0xffff {
		t.Errorf("the header adds up to %#x", sum)
	}
}

// Checksums must be correct after extension headers of IPv6, even in a fragment.
func TestCopiesExtensions(t *testing.T) {
	const options, fragment, icmp, udp = 60, 44, 58, 17
	udpPacket := ipPacket(t, "2001:db8::7", "2001:db8::9", false)
	ping := append(bytes.Clone(udpPacket[:40]), 128, 0, 0, 0, 0, 1, 0, 2, 3, 4)
	ping[6], ping[5] = icmp, byte(len(ping)-40)
	pseudo := append(bytes.Clone(ping[8:40]), 0, 0, 0, byte(len(ping)-40), 0, 0, 0, icmp)
	binary.BigEndian.PutUint16(ping[42:], ^uint16(addUp(append(pseudo, ping[40:]...))))
	for name, whole := range map[string][]byte{"UDP": udpPacket, "ICMPv6": ping} {
		checkSums(t, whole)
		protocol, content := whole[6], whole[40:]
		extended := func(next byte, headers ...byte) []byte {
			p := append(bytes.Clone(whole[:40]), headers...)
			p = append(p, content...)
			p[6] = next
			binary.BigEndian.PutUint16(p[4:], uint16(len(p)-40))
			return p
		}
		padding := []byte{protocol, 0, 1, 4, 0, 0, 0, 0}
		for form, p := range map[string][]byte{
			"plain":           whole,
			"options":         extended(options, padding...),
			"fragment":        extended(fragment, append([]byte{options, 0, 0, 1, 1, 2, 3, 4}, padding...)...),
			"atomic fragment": extended(fragment, append([]byte{options, 0, 0, 0, 1, 2, 3, 4}, padding...)...),
		} {
			got, err := newMultiplier(9).copyOf(p, len(p), ip.LinkRaw, 5)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(got[8:40], p[8:40]) {
				t.Errorf("%s, %s: the hosts did not change", name, form)
			}
			joined := append(bytes.Clone(got[:40]), got[len(got)-len(content):]...)
			joined[6] = protocol
			checkSums(t, joined)
		}
		later := extended(fragment, protocol, 0, 0, 8, 1, 2, 3, 4)
		if got, err := newMultiplier(9).copyOf(later, len(later), ip.LinkRaw, 5); err != nil || !bytes.Equal(got[40:], later[40:]) {
			t.Errorf("%s: the content of a later fragment changed (%v)", name, err)
		}
	}
}

// TestCopiesStay checks that multicast, broadcast and unspecified addresses do not change, and neither do packets other
// than IP.
func TestCopiesStay(t *testing.T) {
	m := newMultiplier(9)
	for _, a := range []string{"224.0.0.1", "239.1.2.3", "255.255.255.255", "0.0.0.0", "ff02::1", "::"} {
		addr := netip.MustParseAddr(a)
		if got, err := m.hostOf(addr, 4); got != addr || err != nil {
			t.Errorf("%s became %s (%v)", a, got, err)
		}
	}
	packet := ipPacket(t, "192.168.1.1", "192.168.1.255", false)
	broadcast := append(appendNumbers(append(bytes.Repeat([]byte{0xff}, 6), make([]byte, 6)...), 0x800), packet...)
	got, err := m.copyOf(broadcast, len(broadcast), ip.LinkEthernet, 4)
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, got[14:])
	if _, dst := ip.Addresses(got[14:]); !bytes.Equal(dst, []byte{192, 168, 1, 255}) {
		t.Errorf("a broadcast goes to %v", dst)
	}
	arp := appendNumbers(make([]byte, 12), 0x806, 1, 2, 3)
	if got, err := m.copyOf(arp, len(arp), ip.LinkEthernet, 4); !bytes.Equal(got, arp) || err != nil {
		t.Errorf("ARP became % x (%v)", got, err)
	}
}

// A checksum that the sender left to its network device becomes complete. In a cut packet and in a first fragment, it
// stays incomplete: it is only the sum of addresses, protocol and length.
func TestCopiesOffloaded(t *testing.T) {
	for _, dst := range []string{"10.0.0.8", "2001:db8::7"} {
		for _, isTCP := range []bool{false, true} {
			packet := ipPacket(t, dst, dst, isTCP)
			header, sum := len(packet)-len("odd number of bytes")-8, 6
			protocol := byte(ip.ProtocolUDP)
			if isTCP {
				header, sum, protocol = header-12, 16, ip.ProtocolTCP
			}
			pseudo := func(of []byte) uint16 {
				src, dst := ip.Addresses(of)
				return uint16(addUp(slices.Concat(src, dst, []byte{0, protocol, 0, byte(len(packet) - header)})))
			}
			binary.BigEndian.PutUint16(packet[header+sum:], pseudo(packet))
			unfinished := func(what string, captured []byte, length int) {
				got, err := newMultiplier(3).copyOf(captured, length, ip.LinkRaw, 1)
				if err != nil {
					t.Fatal(err)
				}
				if sum := binary.BigEndian.Uint16(got[header+sum:]); sum != pseudo(got) {
					t.Errorf("%s has the checksum %#x, want %#x", what, sum, pseudo(got))
				}
			}
			got, err := newMultiplier(3).copyOf(packet, len(packet), ip.LinkRaw, 1)
			if err != nil {
				t.Fatal(err)
			}
			checkSums(t, got)
			unfinished("a cut packet", packet[:len(packet)-1], len(packet))
			if packet[0]>>4 == 4 {
				first := bytes.Clone(packet[:header+24])
				first[6] = 0x20 // more fragments follow
				binary.BigEndian.PutUint16(first[2:], uint16(len(first)))
				unfinished("a fragment", first, len(first))
			}
		}
	}
}

// It is an error if a block has no room for the hosts of all copies.
func TestCopiesRoom(t *testing.T) {
	m := newMultiplier(254*256 + 1)
	a := netip.MustParseAddr("192.168.0.1")
	if got, err := m.hostOf(a, 254*256-1); err != nil || got != netip.MustParseAddr("192.168.0.1") {
		t.Errorf("the last host is %v (%v)", got, err)
	}
	if got, err := m.hostOf(a, 254*256); err == nil {
		t.Errorf("one more host is %v", got)
	}
	for a, want := range map[string]int{"172.1.2.3": 254 * 16 << 8, "100.1.2.3": 254 * 64 << 8, "8.8.8.8": 254 << 16, "172.17.0.1": 254 << 12} {
		if _, room := blockOf(netip.MustParseAddr(a)); room != want {
			t.Errorf("the block of %s has room for %d, want %d", a, room, want)
		}
	}
}
