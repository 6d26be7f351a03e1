package decode

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A lookout is a tracker that records signals as "port signal".
type lookout struct {
	listener
	seen []string
}

var signalNames = map[wire.Signal]string{wire.Finishing: "finishes", wire.Resetting: "resets", wire.Undelivered: "undelivered",
	wire.Stalled: "stalls", wire.Resumed: "resumes"}

func (l *lookout) Signal(s wire.Signal, p *wire.Place) {
	if s != wire.Stalled && s != wire.Resumed { // packets in these tests have no window
		l.seen = append(l.seen, fmt.Sprint(p.Src.Port(), " ", signalNames[s]))
	}
}

// The engine signals which side closes first, before the message in the same segment.
func TestSignals(t *testing.T) {
	for _, c := range []struct {
		name string
		play func(*wired)
		want []string
	}{
		{"only a message", func(w *wired) { w.send(0, saying("S?", "a")) }, nil},
		{"the client closes", func(w *wired) { w.send(0, saying("S?", "a")); w.finish(0); w.finish(1) }, []string{"40000 finishes"}},
		{"with the last message", func(w *wired) { w.at(0, w.seq[0], tcp.FIN|tcp.ACK, saying("S?", "a"), 0) }, []string{"40000 finishes"}},
		{"the server resets", func(w *wired) { w.send(0, saying("S?", "a")); w.at(1, w.seq[1], tcp.RST, "", 0) }, []string{"7000 resets"}},
	} {
		for _, parallel := range []bool{false, true} {
			l := new(lookout)
			p := *toyStreams()
			p.NewTracker = func(r *wire.Reporter) wire.Tracker {
				r.Watch(l)
				return l
			}
			w := newWired(t, client, server)
			w.table = newTable(t, Options{Protocols: []*wire.Protocol{&p}, Parallel: parallel})
			w.open()
			c.play(w)
			w.Close()
			if !slices.Equal(l.seen, c.want) {
				t.Errorf("%s, parallel %t: %q, want %q", c.name, parallel, l.seen, c.want)
			}
		}
	}
}

// ICMP reports an undelivered datagram. If the datagram belongs to a recognised conversation, the engine signals this.
func TestUndeliveredSignal(t *testing.T) {
	l := new(lookout)
	p := *chess
	p.NewTracker = func(r *wire.Reporter) wire.Tracker {
		r.Watch(l)
		return l
	}
	e := newTable(t, Options{Protocols: []*wire.Protocol{&p}})
	about := func(packet []byte) {
		icmp := slices.Concat([]byte{3, 3, 0, 0, 0, 0, 0, 0}, packet)
		header := slices.Clone(packet[:ipv4HeaderSize])
		header[9] = 1
		copy(header[12:], packet[16:20])
		copy(header[16:], packet[12:16])
		header[2], header[3] = byte((ipv4HeaderSize+len(icmp))>>8), byte(ipv4HeaderSize+len(icmp))
		e.frame(ip.LinkRaw, slices.Concat(header, icmp), ipv4HeaderSize+len(icmp))
	}
	asked := udpPacket(t, client, server, saying("S?", "a"))
	about(asked) // the conversation is unknown
	e.packet(asked)
	about(asked)
	e.Close()
	if want := []string{"40000 undelivered"}; !slices.Equal(l.seen, want) {
		t.Errorf("%q, want %q", l.seen, want)
	}
	e.expectOurs(1, 2)
}

// SYNs to a game server are attempts. N clients have N times the outcomes of one client.
func TestOpenings(t *testing.T) {
	for _, c := range []struct {
		name string
		play func(*wired)
		want string
	}{
		{"opened", func(w *wired) { w.open() }, "done"},
		{"the capture lacks the answer", func(w *wired) { w.at(0, w.seq[0]-1, tcp.SYN, "", 0); w.send(0, saying("S?", "a")) }, "done"},
		{"refused", func(w *wired) { w.at(0, w.seq[0]-1, tcp.SYN, "", 0); w.at(1, 0, tcp.RST|tcp.ACK, "", 0) }, "unreachable refused by a reset"},
		{"silence", func(w *wired) {
			for range 4 {
				w.at(0, w.seq[0]-1, tcp.SYN, "", 0)
				w.number += 2
			}
		}, "unreachable no answer to SYN"},
		{"one SYN", func(w *wired) { w.at(0, w.seq[0]-1, tcp.SYN, "", 0); w.number += 60; w.at(1, 0, tcp.ACK, "", 0) }, "done"},
		{"one SYN, and nothing after it", func(w *wired) { w.at(0, w.seq[0]-1, tcp.SYN, "", 0) }, "not_known"},
		{"turned away", func(w *wired) { w.open(); w.finish(1); w.finish(0) },
			"refused the server closes the connection before anybody says anything"},
		{"the client closes first", func(w *wired) { w.open(); w.finish(0); w.finish(1) }, "done"},
		{"bytes are missing", func(w *wired) { w.open(); w.lose(0, 3); w.finish(1) }, "done"},
		{"bytes are missing before the end", func(w *wired) { w.open(); w.lose(1, 3); w.finish(1) }, "done"},
		{"another port", func(w *wired) {
			w.ends[1] = strings.Replace(server, "7000", "7999", 1)
			w.open()
		}, ""},
	} {
		for _, n := range []int{1, 100} {
			var got []string
			e := newTable(t, Options{Protocols: []*wire.Protocol{toyStreams()}, Attempt: func(a *wire.Attempt) {
				switch {
				case a.Outcome == wire.NotKnown && a.Over: // undecided at the end of the capture
					got = append(got, a.Outcome.String())
				case a.Over:
					got = append(got, strings.TrimSpace(a.Outcome.String()+" "+a.Cause))
				}
			}})
			for i := range n {
				w := newWired(t, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 9, 0, byte(i)}), 40000).String(), server)
				w.table = e
				c.play(w)
			}
			e.Close()
			if want := slices.Repeat([]string{c.want}, n); c.want != "" && !slices.Equal(got, want) || c.want == "" && got != nil {
				t.Errorf("%s, %d clients: %d outcomes %q, want %q", c.name, n, len(got), slices.Compact(got), c.want)
			}
		}
	}
}
