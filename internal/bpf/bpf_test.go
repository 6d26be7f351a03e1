package bpf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/capture"
)

// Names must never get so far that somebody looks them up, whichever compiler there is.
func TestNamesAreRefused(t *testing.T) {
	for _, c := range []struct{ filter, wrong string }{
		{"host example.org", "example.org"},
		{"example", "example"},
		{"net loopback", "loopback"},
		{"port foo", "foo"},
		{"tcp port 80 or foo", "foo"},
		{"port 80 or host http", "http"}, // a port's name elsewhere
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
		{"host fe80::1%eth0", "eth0"},
		{"host aa-bb-cc-dd-ee-ff", "aa-bb-cc-dd-ee-ff"},
		{"portrange http-https", "http-https"},
		{"host a:b", "a"},
		{"len-5 > 3", "len-5"},
		{"ip protochain 6", "protochain"},
		{"host ex\x00ample", "\x00"},
		{"host \x00", "\x00"},
		{`host "x"`, `"`},
		{"host é", "é"},
		{"host $5", "$"},
	} {
		_, err := textFor(c.filter)
		var wrong *Error
		if !errors.As(err, &wrong) || c.filter[wrong.Off:wrong.Off+wrong.Size] != c.wrong {
			t.Errorf("%s: %v", c.filter, err)
		}
		if _, err := Compile(c.filter, linkEthernet, 0); !errors.As(err, &wrong) || wrong.By != ourselves {
			t.Errorf("%s: Compile says %v", c.filter, err)
		}
	}
}

func textFor(filter string) (string, error) {
	tokens, err := lex(filter)
	if err != nil {
		return "", err
	}
	return spellOut(filter, tokens)
}

func TestPlainText(t *testing.T) {
	for filter, want := range map[string]string{
		"tcp port http and not host 10.0.0.1": "tcp port 80 && ! host 10.0.0.1",
		"ip6 host fe80::1":                    "ip6 host fe80:0:0:0:0:0:0:1",
		"portrange 5 - 9 or 10-12":            "portrange 5-9 || 10-12",
		"ip[2:2]-5>0x10":                      "ip [ 2 : 2 ] - 5 > 16",
		`ip proto \tcp`:                       "ip proto 6",
		`ether proto (\arp or \ip)`:           `ether proto ( \arp || \ip )`,
		"tcp[tcpflags] & tcp-syn != 0":        "tcp [ 13 ] & 2 != 0",
		"ether host 0:1:2:3:4:5":              "ether host 0:1:2:3:4:5",
		"":                                    "",
	} {
		if got, err := textFor(filter); got != want || err != nil {
			t.Errorf("%s: %q %v, want %q", filter, got, err, want)
		}
	}
}

// What the own compiler does not take it refuses, and says where.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ filter, marks, reason string }{
		{"udp prot 53", "    ^^^^", "no word of a capture filter"},
		{"port", "    ^", "ends where a port should be"},
		{"port 70000", "     ^^^^^", "above 65535"},
		{"tcp host 1.2.3.4", "         ^^^^^^^", "addresses are IP's"},
		{"ip host fe80::1", "        ^^^^^^^", "an address of ip"},
		{"net 10.0.0.1/8", "    ^^^^^^^^", "bits beyond"},
		{"net fe80::1/64", "    ^^^^^^^", "bits beyond"},
		{"host 10.1", "     ^^^^", "four numbers"},
		{"ip port 5", "        ^", "a port of tcp, udp or sctp"},
		{"(port 5", "       ^", `ends where ")"`},
		{"port 5)", "      ^", `"and" or "or" is missing`},
		{"port 5 port 6", "       ^^^^", `"and" or "or" is missing`},
		{"5", "^", `such as "host"`},
		{"tcp and 5", "        ^", `such as "host"`},
		{"ether host 0:1:2:3:4:5", "^^^^^", "without libpcap"},
		{"ip[0] & 15 * 4 = 20", "           ^", "a comparison"},
		{"ip[6:3] = 0", "     ^", "1, 2 or 4"},
		{"mpls", "^^^^", "without libpcap"},
		{"udp src 5", "        ^", "an address of udp"},
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
		strings.Repeat("ip ", 6000), strings.Repeat("port 5 or ", 1500) + "port 6", strings.Repeat("vlan and ", 5) + "ip",
	} {
		if code, err := ourCode(filter, linkEthernet); err == nil && len(code) > maxInstructions {
			t.Errorf("%.40s...: %d instructions", filter, len(code))
		} else if err == nil && !strings.HasPrefix(filter, "port") {
			t.Errorf("%.40s...: accepted", filter)
		}
	}
	if _, err := ourCode("vlan", linkRaw); err == nil {
		t.Error("a tag without Ethernet")
	}
	if _, err := ourCode("ip", 105); err == nil {
		t.Error("a link type that is not understood")
	}
}

// What is long takes no long time, though libpcap would take minutes.
func TestLongFilters(t *testing.T) {
	start := time.Now()
	for _, filter := range []string{
		strings.Repeat("portrange 5-60000 or ", 700) + "ip", "port 1" + strings.Repeat("||5", 5000),
		strings.Repeat("mpls or ", 2000) + "ip", strings.Repeat("host 10.0.0.1 and ", 900) + "ip",
	} {
		if _, err := Compile(filter, linkEthernet, 0); err == nil {
			t.Errorf("%.40s...: accepted", filter)
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Error(took)
	}
	if p, err := Compile(strings.Repeat("udp port 5 or ", 99)+"port 6", linkEthernet, 0); err != nil || len(p.code) > maxInstructions {
		t.Error(err)
	}
}

func ourCode(filter string, link capture.LinkType) ([]RawInstruction, error) {
	tokens, err := lex(filter)
	if err != nil {
		return nil, err
	}
	return compileOwn(filter, tokens, link, 1000)
}

// Jumps that are too far for eight bits take detours.
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
		t.Fatalf("%d instructions: no jump is far", len(code))
	}
	packet := make([]byte, 28)
	packet[0], packet[9] = 0x45, protocolUDP
	binary.BigEndian.PutUint16(packet[20:], 65000)
	for port := range 65536 {
		binary.BigEndian.PutUint16(packet[22:], uint16(port))
		if got, want := run(code, packet, 28) != 0, port%7 != 0 || port >= 7*150; got != want {
			t.Fatalf("port %d: accepted %v", port, got)
		}
	}
}

// Jumps of 250 to 260 instructions, forth from a test of which one outcome is far or both are.
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
					t.Fatalf("%d lengths, %x of length %d: %v\n%v", n, c.packet, length, got, &Program{code: code})
				}
			}
		}
	}
}

// The filter for ports finds them, later fragments, and both behind a tag, by whatever compiler.
func TestPortsFilter(t *testing.T) {
	const port = 6969
	udp := func(change func(ip []byte)) []byte {
		ip := make([]byte, 28)
		ip[0], ip[9] = 0x45, protocolUDP
		binary.BigEndian.PutUint16(ip[22:], port)
		change(ip)
		return append([]byte{12: 8, 13: 0}, ip...)
	}
	tag := func(p []byte) []byte {
		return append(append(append([]byte(nil), p[:12]...), 0x81, 0, 0, 5), p[12:]...)
	}
	plain := udp(func([]byte) {})
	other := udp(func(ip []byte) { ip[23]++ })
	tcp := udp(func(ip []byte) { ip[9] = protocolTCP })
	fragment := udp(func(ip []byte) { ip[7], ip[23] = 1, 0 })
	filter := PortsFilter([]uint16{port, 53, port}, []uint16{5154}, linkEthernet)
	p, err := Compile(filter, linkEthernet, 0)
	if err != nil {
		t.Fatal(err)
	}
	own, err := ourCode(filter, linkEthernet)
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
			if got := run(own, b, uint32(len(b))) != 0; got != c.want {
				t.Errorf("packet %d: the own compiler says %v", i, got)
			}
		}
	}
	for _, link := range someLinks {
		if _, err := Compile(PortsFilter(nil, nil, link), link, 0); err != nil {
			t.Error(link, err)
		}
	}
}

// A BSD loopback header is in the byte order of the machine that wrote it.
func TestLoopbackInBothOrders(t *testing.T) {
	p, err := Compile("udp port 53", linkNull, 0)
	if err != nil {
		t.Fatal(err)
	}
	ip := []byte{0: 0x45, 9: protocolUDP, 23: 53, 27: 0}
	for _, header := range [][]byte{{2, 0, 0, 0}, {0, 0, 0, 2}} {
		if b := append(header, ip...); !p.Match(b, len(b)) {
			t.Errorf("%x is rejected", header)
		}
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
		PortsFilter([]uint16{1, 2}, []uint16{3}, linkEthernet), `ether proto \arp`, "host example.org", "((((", "!!!!!!", "port 5 or",
		"net 10.0.0.0/8 and not port 53", "len-5", "::1", "1:2:3:4:5:6", "ip[0:4]", "0x", "host fe80::1%1",
	} {
		f.Add(seed, uint8(1))
	}
	f.Fuzz(func(t *testing.T, filter string, which uint8) {
		link := someLinks[int(which)%len(someLinks)]
		if _, err := Compile(filter, link, 0); err != nil {
			var wrong *Error
			if !errors.As(err, &wrong) || wrong.Error() == "" || wrong.Excerpt() == "" && strings.TrimSpace(filter) != "" {
				t.Fatalf("%q: %#v", filter, err)
			}
		}
		code, err := ourCode(filter, link)
		if err != nil {
			return
		}
		if err := validate(code); err != nil {
			t.Fatalf("%q: %v", filter, err)
		}
		compareWithLibrary(t, filter, link, code)
	})
}

// Which way a packet went the kernel alone knows, unless the frame's header says it.
func TestInboundAsksTheKernel(t *testing.T) {
	for _, link := range someLinks {
		for _, filter := range []string{"inbound", "outbound", "udp and not inbound"} {
			code, err := ourCode(filter, link)
			if err != nil {
				t.Errorf("%s (%v): %v", filter, link, err)
				continue
			}
			cooked := link == linkCooked || link == linkCooked2
			if p := (&Program{code: code}); p.ReadsKernel() == cooked {
				t.Errorf("%s (%v) asks the kernel: %v\n%v", filter, link, !cooked, p)
			}
		}
	}
	if p, err := Compile("inbound", linkEthernet, 0); err != nil || !p.ReadsKernel() {
		t.Errorf("inbound: %v", err)
	}
}

// compiler names what Compile uses: libpcap with its version, or "gamedissect".
func compiler() string {
	if l := library(); l.err == nil {
		return l.version
	}
	return ourselves
}
