package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/gopacket"
	pcaplayers "github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// A saying is a kind of message and the way it goes.
type saying struct {
	way  wire.Direction
	code string
}

// A stretch is a part of what one side of a connection sends.
type stretch struct{ at, size int }

// A told is all that a generator knows of its traffic.
type told struct {
	messages map[saying]int
	bytes    int
	lost     map[netip.AddrPort]map[netip.AddrPort][]stretch // by sender and receiver
}

// shorter is a third of so many bytes in short tests.
func shorter(bytes int64) int64 {
	if testing.Short() {
		return bytes / 3
	}
	return bytes
}

// generateTold records games, and what is in them.
func generateTold(t *testing.T, connections int, lossy bool, wanted int64) (*told, *bytes.Buffer, int64) {
	t.Helper()
	var file bytes.Buffer
	r, err := newRecorder(&file, wanted)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBZFlag(r, connections)
	if err != nil {
		t.Fatal(err)
	}
	all := &told{messages: make(map[saying]int), lost: make(map[netip.AddrPort]map[netip.AddrPort][]stretch)}
	b.lossy, b.lost = lossy, all.lose
	b.onMessage = func(from int, code bzflag17.Code, size int) {
		s := saying{wire.ToServer, code.String()}
		if from == server {
			s.way = wire.FromServer
		}
		if code == 0 {
			s.code = "" // the hello
		}
		all.messages[s]++
		all.bytes += size
	}
	if err := b.run(); err != nil {
		t.Fatal(err)
	}
	if b.begun < connections {
		t.Errorf("only %d of %d players have come", b.begun, connections)
	}
	return all, &file, r.packets
}

func (a *told) lose(l *link, s *segment) {
	from, to := addrPort(&l.sides[s.from]), addrPort(&l.sides[1-s.from])
	if a.lost[from] == nil {
		a.lost[from] = make(map[netip.AddrPort][]stretch)
	}
	a.lost[from][to] = append(a.lost[from][to], stretch{s.offset, len(s.payload)})
}

func addrPort(s *side) netip.AddrPort {
	ip, _ := netip.AddrFromSlice(s.ip.To4())
	return netip.AddrPortFrom(ip, s.port)
}

// take removes a gap from what is lost, and reports whether it was there: one segment or several
// in a row.
func (a *told) take(from, to netip.AddrPort, g stretch) bool {
	list := a.lost[from][to]
	slices.SortFunc(list, func(a, b stretch) int { return a.at - b.at })
	first := slices.IndexFunc(list, func(s stretch) bool { return s.at == g.at })
	if first < 0 {
		return false
	}
	size, last := 0, first
	for last < len(list) && list[last].at == g.at+size {
		size += list[last].size
		last++
	}
	if size != g.size {
		return false
	}
	a.lost[from][to] = slices.Delete(list, first, last)
	return true
}

// left counts the lost segments that were not taken. Without its hello a connection is nobody's,
// so there is no finding.
func (a *told) left() (n int) {
	for from, m := range a.lost {
		if from.Port() == bzflag17.ServerPort {
			continue
		}
		for _, list := range m {
			n += len(list)
		}
	}
	return n
}

// heard is what gamedissect makes of a capture.
type heard struct {
	messages                map[saying]int
	names                   map[string]int
	bytes, missing, skipped int
	gaps                    int
	counters                decode.Counters
}

// hear decodes a capture of games. Lost segments are taken from what was told.
func hear(t *testing.T, file *bytes.Buffer, all *told) *heard {
	t.Helper()
	h := &heard{messages: make(map[saying]int), names: make(map[string]int)}
	e := decode.New(decode.Options{
		Protocols: []*wire.Protocol{bzflag17.Protocol},
		Message: func(m *decode.Message) {
			h.messages[saying{m.Direction, m.Code}]++
			h.names[m.Name]++
			h.bytes += m.Length
			for _, f := range m.Findings {
				t.Fatalf("packet %d, %s: %s: %s", m.Frame, m.Name, f.Rule.ID, f.Text)
			}
		},
		Finding: func(f *wire.TrafficFinding) {
			if f.Rule != decode.RuleGap {
				t.Fatalf("packet %d: %s: %s", f.Frame, f.Rule.ID, f.Text)
			}
			var size, at, skipped int
			var unit string
			n, _ := fmt.Sscanf(f.Text, "%d %s missing at offset %d of the stream, %d", &size, &unit, &at, &skipped)
			if n < 3 || !all.take(f.Src, f.Dst, stretch{at, size}) {
				t.Errorf("packet %d: %s: %s, where nothing was lost", f.Frame, f.Rule.ID, f.Text)
			}
			h.gaps++
			h.missing += size
			h.skipped += skipped
		},
	})
	feed(t, e, file)
	e.Close()
	h.counters = e.Counters()
	return h
}

// TestBZFlagTraffic reads games with gamedissect itself: it finds the messages that were sent,
// no others, and nothing that breaks a rule.
func TestBZFlagTraffic(t *testing.T) {
	wiretest.WithoutDetector(t)
	for connections, wanted := range map[int]int64{50: 8e6, 500: shorter(30e6)} {
		t.Run(fmt.Sprint(connections), func(t *testing.T) {
			all, file, packets := generateTold(t, connections, false, wanted)
			if n := int64(file.Len()); n < wanted || n > wanted+int64(connections)*2000 {
				t.Errorf("%d bytes are written, %d are wanted", n, wanted)
			}
			h := hear(t, file, all)
			if !maps.Equal(h.messages, all.messages) {
				t.Errorf("messages are\n%v\nwant\n%v", h.messages, all.messages)
			}
			if c := h.counters; h.gaps > 0 || c.Packets != packets || c.Other != 0 {
				t.Errorf("%d gaps, %d packets, %d foreign; want %d packets", h.gaps, c.Packets, c.Other, packets)
			}
			for _, name := range []string{
				"ServerHello", "MsgGetWorld", "MsgEnter", "MsgAccept", "MsgExit", "MsgTeamUpdate", "MsgAddPlayer", "MsgPlayerUpdate",
				"MsgShotBegin", "MsgShotEnd", "MsgKilled", "MsgScore", "MsgMessage", "MsgFlagUpdate", "MsgGrabFlag", "MsgAlive",
			} {
				if h.names[name] == 0 {
					t.Errorf("there is no %s among %v", name, h.names)
				}
			}
			t.Logf("%d packets, %v", packets, h.names)
		})
	}
}

// TestBZFlagLost reads games of which segments are missing: the only findings are gaps where they
// were, and all bytes are in messages, missing or skipped, but for a few at the end of streams.
func TestBZFlagLost(t *testing.T) {
	wiretest.WithoutDetector(t)
	all, file, _ := generateTold(t, 50, true, shorter(30e6))
	h := hear(t, file, all)
	for s, n := range h.messages {
		if n > all.messages[s] {
			t.Errorf("%d times %v, %d were sent", n, s, all.messages[s])
		}
	}
	if n := all.left(); n > 0 {
		t.Errorf("%d lost segments are not reported: %v", n, all.lost)
	}
	t.Logf("%d gaps, %d of %d bytes read, %d missing, %d skipped", h.gaps, h.bytes, all.bytes, h.missing, h.skipped)
	const atEnds = 1000
	if n := h.bytes + h.missing + h.skipped; n > all.bytes || n < all.bytes-atEnds {
		t.Errorf("%d bytes were read, %d missing, %d skipped, together %d; want %d", h.bytes, h.missing, h.skipped, n, all.bytes)
	}
}

// TestSegments counts what is unusual in the segments of a capture.
func TestSegments(t *testing.T) {
	wiretest.WithoutDetector(t)
	all, file, _ := generateTold(t, 50, true, shorter(30e6))
	r, err := pcapgo.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	type stream struct{ network, transport gopacket.Flow }
	seen := make(map[stream]map[uint32]bool)
	last := make(map[stream]uint32)
	data, again, late := 0.0, 0.0, 0.0
	for {
		frame, _, err := r.ZeroCopyReadPacketData()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		p := gopacket.NewPacket(frame, pcaplayers.LayerTypeEthernet, gopacket.NoCopy)
		tcp, ok := p.TransportLayer().(*pcaplayers.TCP)
		if !ok {
			t.Fatalf("not TCP: %v", p)
		}
		if len(tcp.Payload) == 0 {
			continue
		}
		s := stream{p.NetworkLayer().NetworkFlow(), tcp.TransportFlow()}
		if seen[s] == nil {
			seen[s], last[s] = make(map[uint32]bool), tcp.Seq
		}
		data++
		switch {
		case seen[s][tcp.Seq]:
			again++
		case int32(tcp.Seq-last[s]) < 0:
			late++
		default:
			last[s] = tcp.Seq
		}
		seen[s][tcp.Seq] = true
	}
	for _, c := range []struct {
		what        string
		share, want float64
	}{
		{"repeated", again / data, 0.005}, {"late", late / data, 0.002}, {"lost", float64(all.left()) / data, 0.001},
	} {
		if c.share < 0.6*c.want || c.share > 1.4*c.want {
			t.Errorf("%.4f of %.0f segments are %s, want %.4f", c.share, data, c.what, c.want)
		}
	}
}
