package bpf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

// TestNamesAreRefused checks that the error for an unknown name marks that name.
func TestNamesAreRefused(t *testing.T) {
	for _, c := range []struct{ filter, wrong string }{
		{"host example.org", "example.org"},
		{"example", "example"},
		{"net loopback", "loopback"},
		{"port foo", "foo"},
		{"tcp port 80 or foo", "foo"},
		{"port 80 or host http", "http"}, // elsewhere, http is the name of a port
		{`host \tcp`, `\tcp`},
		{`\tcp`, `\tcp`},
		{`ether host \arp`, `\arp`},
		{`ether proto \ip and host \arp`, `\arp`},
		{`ether proto \ip and src \arp`, `\arp`},
		{`(ether proto \ip) and \arp`, `\arp`},
		{`ip proto \ip`, `\ip`},
		{"gateway router", "gateway"},
		{"TCP", "TCP"},
		{"geneve", "geneve"},
		{"host 1.2.3.256", "1.2.3.256"},
		{"host 1.2.3.4.5", "1.2.3.4.5"},
		{"host 01.2.3.4", "01.2.3.4"},
		{"host 12ab", "12ab"},
		{"host 1.example", "1.example"},
		{"host fe80::1%eth0", "%"},
		{"host aa-bb-cc-dd-ee-ff", "aa-bb-cc-dd-ee-ff"},
		{"portrange http-foo", "http-foo"},
		{"port http-https", "http-https"},
		{"host a:b", "a"},
		{"len-5 > 3", "len-5"},
		{"ip protochain 6", "protochain"},
		{"host ex\x00ample", "\x00"},
		{"host \x00", "\x00"},
		{`host "x"`, `"`},
		{"host é", "é"},
		{"host $5", "$"},
	} {
		_, err := Compile(c.filter, linkEthernet, 0)
		var wrong *Error
		if !errors.As(err, &wrong) || c.filter[wrong.Off:wrong.Off+wrong.Size] != c.wrong {
			t.Errorf("%s: %v", c.filter, err)
		}
	}
}

// TestRefusals checks that the error for rejected words marks them and says what to write instead.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ filter, marks, reason string }{
		{"udp prot 53", "    ^^^^", "no word of a capture filter"},
		{"port", "    ^", "ends where a port should be"},
		{"port 70000", "     ^^^^^", "above 65535"},
		{"tcp host 1.2.3.4", "         ^^^^^^^", "has no addresses"},
		{"ip host fe80::1", "        ^^^^^^^", "an address of ip"},
		{"net 10.0.0.1/8", "    ^^^^^^^^", "bits outside"},
		{"net fe80::1/64", "    ^^^^^^^", "bits outside"},
		{"host 10.1", "     ^^^^", "write net 10.1"},
		{"host 10.0.0.1/8", "     ^^^^^^^^", "write net 10.0.0.1/"},
		{"net 10.1.2 mask 255.255", "    ^^^^^^", "bits outside"},
		{"net 10.0.0.0 mask 8", "                  ^", "a mask such as"},
		{"host fe80::1/64", "     ^^^^^^^", "write net fe80::1/64"},
		{"ip port 5", "        ^", "a port of tcp, udp or sctp"},
		{"(port 5", "       ^", `ends where ")"`},
		{"port 5)", "      ^", `where "and" or "or" should be`},
		{"port 5 port 6", "       ^^^^", `where "and" or "or" should be`},
		{"5", "^", `such as "host"`},
		{"tcp and 5", "        ^", `such as "host"`},
		{"ip[6:3] = 0", "     ^", "1, 2 or 4"},
		{"ip[70000] = 0", "^^", "in no packet"},
		{"ah[0] = 0", "^^", "cannot read the bytes"},
		{"len / 0 = 1", "    ^", "division by zero"},
		{"len << 32 = 1", "    ^^", "from 0 to 31"},
		{"1 << len = 1", "  ^^", "from 0 to 31"},
		{"len % 2 + 1 = 1", "    ^", "parentheses"},
		{"len + 1 ^ 1 = 1", "        ^", "parentheses"},
		{"udp src 5", "        ^", "write port 5"},
		{"ip proto icmp", "         ^^^^", `write \icmp`},
		{"udp proto 5", "          ^", "ether, ip and ip6"},
		{"ether proto 60", "            ^^", "ether[12:2] <= 1500"},
		{"ether host 10.0.0.1", "           ^^^^^^^^", "as 00:11:22:aa:bb:cc"},
		{"host 0:1:2:3:4:5", "     ^^^^^^^^^^^", "write ether host 0:1:2:3:4:5"},
		{"ip broadcast", "   ^^^^^^^^^", "write dst host 255.255.255.255"},
		{"tcp multicast", "    ^^^^^^^^^", "ether and ip"},
		{"gateway 10.0.0.1", "^^^^^^^", "and not host 10.0.0.1"},
		{"ip6 protochain 6", "    ^^^^^^^^^^", "write proto 6"},
		{"geneve and ip", "^^^^^^", "write udp port 6081"},
		{"wlan host 0:1:2:3:4:5", "^^^^", "IEEE 802.11"},
		{`ether proto \ipx`, "            ^^^^", "ether proto 0x8137"},
		{"mpls and vlan", "         ^^^^", "write vlan before mpls"},
		{"pppoes and vlan", "           ^^^^", "only in Ethernet frames"},
		{"pppoes and broadcast", "           ^^^^^^^^^", "these are PPP"},
		{"pppoes and pppoes", "           ^^^^^^", "carry no PPPoE"},
		{"pppoes and ether host 0:1:2:3:4:5", "                      ^^^^^^^^^^^", "these are PPP"},
	} {
		_, err := ourCode(c.filter, linkEthernet)
		var wrong *Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.reason) || wrong.Excerpt() != c.filter+"\n"+c.marks {
			t.Errorf("%s: %v", c.filter, err)
			if wrong != nil {
				t.Log("\n" + wrong.Excerpt())
			}
		}
	}
	for _, filter := range []string{
		strings.Repeat("(", 101) + "tcp" + strings.Repeat(")", 101), strings.Repeat("not ", 101) + "tcp",
		strings.Repeat("ip ", 6000),
		strings.Repeat("ip[", 101) + "0" + strings.Repeat("]", 101) + " = 0", strings.Repeat("-", 101) + "1 = len",
		strings.Repeat("vlan and ", 5) + "ip", strings.Repeat("(len + ", 17) + "1" + strings.Repeat(")", 17) + " = 0",
		strings.Repeat("portrange 5-60000 or ", 700) + "ip", "port 1" + strings.Repeat("||5", 5000),
	} {
		if _, err := Compile(filter, linkEthernet, 0); err == nil {
			t.Errorf("%.40s...: accepted", filter)
		}
	}
	links := map[string]capture.LinkType{"vlan": linkRaw, "mpls": linkCooked, "pppoes": linkPPP, "ip": 105}
	for filter, link := range links {
		if _, err := Compile(filter, link, 0); err == nil {
			t.Errorf("%s (%v): accepted", filter, link)
		}
	}
}

// TestDifferencesFromLibpcap has filters that libpcap rejects, or for which its verdicts differ from ours.
func TestDifferencesFromLibpcap(t *testing.T) {
	ip := make([]byte, 28)
	ip[0], ip[9], ip[20] = 0x45, 17, 6
	for filter, want := range map[string]bool{
		"ip[0] + tcp[0] > 0":    false, // libpcap checks only that the packet is IP
		"ip[0] + udp[0] = 75":   true,
		"ip[0] / ip[1 - 1] = 1": true, // libpcap: division by zero
		"port bzflag":           false,
		"udp portrange 0 - 1":   true, // libpcap: syntax error
		"not port ((6 or 7))":   true,
		"port ftp or 1536":      true,
	} {
		if p, err := Compile(filter, linkRaw, 0); err != nil || p.Match(ip, len(ip)) != want {
			t.Errorf("%s: %v, want %v", filter, err, want)
		}
	}
}

func ourCode(filter string, link capture.LinkType) ([]RawInstruction, error) {
	tokens, err := lex(filter)
	if err != nil {
		return nil, err
	}
	p, err := compile(filter, tokens, link, false, 1000)
	if err != nil {
		return nil, err
	}
	return p.code, nil
}

// TestManyPorts checks jumps that are too long for eight bits.
func TestManyPorts(t *testing.T) {
	var conditions []string
	for i := range 150 {
		conditions = append(conditions, fmt.Sprintf("udp port %d", 7*i))
	}
	filter := "not (" + strings.Join(conditions, " or ") + ") and ip"
	code, err := ourCode(filter, linkRaw)
	if err != nil {
		t.Fatal(err)
	}
	if len(code) < 600 {
		t.Fatalf("only %d instructions, too few for a long jump", len(code))
	}
	packet := make([]byte, 28)
	packet[0], packet[9] = 0x45, 17
	binary.BigEndian.PutUint16(packet[20:], 65000)
	for port := 0; port < 65536; port += 3 {
		binary.BigEndian.PutUint16(packet[22:], uint16(port))
		if got, want := run(code, packet, 28) != 0, port%7 != 0 || port >= 7*150; got != want {
			t.Fatalf("port %d: accepted: %v", port, got)
		}
	}
}

// TestFarthestJumps uses filters with jumps over about 255 instructions, the maximum of a conditional jump. In each
// test, one or both jumps are that long.
func TestFarthestJumps(t *testing.T) {
	ip4, ip6, other := make([]byte, 14), make([]byte, 14), make([]byte, 14)
	binary.BigEndian.PutUint16(ip4[12:], etherIP4)
	binary.BigEndian.PutUint16(ip6[12:], etherIP6)
	for n := 240; n < 270; n++ {
		var lengths []string
		for i := range n {
			lengths = append(lengths, fmt.Sprintf("len = %d", 1000+i))
		}
		filter := "(ip6 and len = 5) or (ip and (" + strings.Join(lengths, " or ") + "))"
		code, err := ourCode(filter, linkEthernet)
		if err != nil {
			t.Fatal(err)
		}
		for length := range uint32(1300) {
			for _, c := range []struct {
				packet []byte
				want   bool
			}{{ip6, length == 5}, {ip4, length >= 1000 && length < 1000+uint32(n)}, {other, false}} {
				if got := run(code, c.packet, length) != 0; got != c.want {
					t.Fatalf("%d lengths, packet %x of length %d: accepted: %v\n%v", n, c.packet, length, got, code)
				}
			}
		}
	}
}

// TestPortsFilter checks that PortsFilter's filter accepts packets with the ports, later fragments, and both of these
// after a VLAN tag.
func TestPortsFilter(t *testing.T) {
	const port = 6969
	udp := func(change func(ip []byte)) []byte {
		ip := make([]byte, 28)
		ip[0], ip[9] = 0x45, 17
		binary.BigEndian.PutUint16(ip[22:], port)
		change(ip)
		return append([]byte{12: 8, 13: 0}, ip...)
	}
	tag := func(p []byte) []byte {
		return append(append(append([]byte(nil), p[:12]...), 0x81, 0, 0, 5), p[12:]...)
	}
	plain := udp(func([]byte) {})
	other := udp(func(ip []byte) { ip[23]++ })
	tcp := udp(func(ip []byte) { ip[9] = 6 })
	fragment := udp(func(ip []byte) { ip[7], ip[23] = 1, 0 })
	filter := PortsFilter([]uint16{port, 53, port}, []uint16{5154}, linkEthernet)
	p, err := Compile(filter, linkEthernet, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		packet []byte
		want   bool
	}{{plain, true}, {other, false}, {tcp, false}, {fragment, true}} {
		for _, b := range [][]byte{c.packet, tag(c.packet)} {
			if got := p.Match(b, len(b)); got != c.want {
				t.Errorf("packet %d: %v", i, got)
			}
		}
	}
	for _, link := range someLinks {
		if _, err := Compile(PortsFilter(nil, nil, link), link, 0); err != nil {
			t.Error(link, err)
		}
	}
}

// TestFamiliesOfAllSystems checks address families. They are in the byte order of the machine that wrote the file, and
// the value for IPv6 depends on that machine's operating system.
func TestFamiliesOfAllSystems(t *testing.T) {
	ip4, ip6 := make([]byte, 28), make([]byte, 48)
	ip4[0], ip4[9], ip4[23] = 0x45, 17, 53
	ip6[0], ip6[6], ip6[43] = 0x60, 17, 53
	families := map[byte][]byte{2: ip4, 10: ip6, 23: ip6, 24: ip6, 28: ip6, 30: ip6}
	for _, link := range []capture.LinkType{linkNull, linkLoop, linkENC, linkPFLOG} {
		for family, packet := range families {
			for _, header := range headersOf(link, family) {
				b := append(header, packet...)
				for filter, want := range map[string]bool{
					"udp port 53": true, "udp port 54": false, "ip6": family != 2, "not ip6": family == 2,
					"host ::": family != 2, "ip": family == 2,
				} {
					if p, err := Compile(filter, link, 0); err != nil || p.Match(b, len(b)) != want {
						t.Errorf("%s (%v, %x): %v, want %v", filter, link, header, err, want)
					}
				}
			}
		}
	}
}

// headersOf returns the link headers that contain an address family, one for each possible byte order.
func headersOf(link capture.LinkType, family byte) [][]byte {
	switch link {
	case linkPFLOG:
		return [][]byte{append([]byte{61, family}, make([]byte, 62)...), append([]byte{100, family}, make([]byte, 98)...)}
	case linkENC:
		return [][]byte{append([]byte{family}, make([]byte, 11)...), append([]byte{0, 0, 0, family}, make([]byte, 8)...)}
	case linkLoop:
		return [][]byte{{0, 0, 0, family}}
	}
	return [][]byte{{family, 0, 0, 0}, {0, 0, 0, family}}
}

func TestLoopbackCutShort(t *testing.T) {
	p, err := Compile("udp port 53", linkNull, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{nil, {0}, {0, 0, 0, 2}} {
		if p.Match(b, len(b)) {
			t.Errorf("%x is accepted", b)
		}
	}
}

func FuzzCompile(f *testing.F) {
	r := rand.New(rand.NewPCG(9, 10))
	for i := range 60 {
		f.Add(someFilter(r, someLinks[i%len(someLinks)], 2), uint8(i))
	}
	for _, seed := range []string{
		PortsFilter([]uint16{1, 2}, []uint16{3}, linkEthernet), `ether proto \arp`, "host example.org", "((((", "!!!!!!",
		"port 5 or", "port (5 or 6) and (7)", "(len-5) * 2 % 3 = ip[ip[0]&15:2]", "mpls 5 and pppoes",
		"net 10.0.0.0/8 and not port 53", "len-5", "::1", "1:2:3:4:5:6", "ip[0:4]", "0x", "host fe80::1%1",
	} {
		f.Add(seed, uint8(1))
	}
	f.Fuzz(func(t *testing.T, filter string, which uint8) {
		link := someLinks[int(which)%len(someLinks)]
		p, err := Compile(filter, link, 0)
		if err != nil {
			var wrong *Error
			if !errors.As(err, &wrong) || wrong.Error() == "" || wrong.Excerpt() == "" && strings.TrimSpace(filter) != "" {
				t.Fatalf("%q: %#v", filter, err)
			}
			return
		}
		if !p.ReadsKernel() {
			virtual(t, p.code)
		}
		p.Match(somePacket(rand.New(rand.NewPCG(13, 14)), link), 100)
	})
}

// TestInboundAsksTheKernel checks that a program asks the kernel for a packet's direction if the frame's header does
// not contain it.
func TestInboundAsksTheKernel(t *testing.T) {
	for _, link := range someLinks {
		for _, filter := range []string{"inbound", "outbound", "udp and not inbound"} {
			inHeader := link == linkCooked || link == linkCooked2 || link == linkPFLOG
			if p, err := Compile(filter, link, 0); err != nil || p.ReadsKernel() == inHeader {
				t.Errorf("%s (%v): %v", filter, link, err)
			}
		}
	}
	// libpcap on Linux generates the same code: load a half-word at SKF_AD_OFF + SKF_AD_PKTTYPE, and compare it with
	// PACKET_OUTGOING.
	code, err := ourCode("outbound", linkEthernet)
	if want := (RawInstruction{Op: 0x28, K: 0xfffff004}); err != nil || code[0] != want || code[1].K != 4 {
		t.Error(code, err)
	}
}
