package decode

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// segmentOf returns the segment in a frame, if the frame contains a TCP segment with data.
func segmentOf(f *Frame) (s tcp.Segment, ok bool) {
	var p ip.Packet
	ok = ip.Find(f.Link, f.Data, f.Length, &p) == ip.Found && p.Protocol == ip.ProtocolTCP && !p.Fragment &&
		s.Parse(p.Payload, p.Missing)
	return s, ok
}

// delayed delays each segment with data by a duration, and sorts the frames by time again.
func delayed(frames []Frame, by func(*tcp.Segment) time.Duration) []Frame {
	frames = slices.Clone(frames)
	for i := range frames {
		if s, ok := segmentOf(&frames[i]); ok && s.Size() > 0 {
			frames[i].Time += int64(by(&s))
		}
	}
	slices.SortStableFunc(frames, func(a, b Frame) int { return int(max(min(a.Time-b.Time, 1), -1)) })
	return frames
}

// messagesIn returns how often each message occurs, the number of reported gaps, and the engine's counters.
func messagesIn(tb testing.TB, frames []Frame) (messages map[string]int, gaps int, n Counters) {
	messages = make(map[string]int)
	n = carries(tb, Options{
		Protocols: protocols.All(),
		Message:   func(m *Message) { messages[fmt.Sprintf("%v>%v %s %x", m.Src, m.Dst, m.Name, m.Data)]++ },
		Finding: func(f *wire.TrafficFinding) {
			if f.Rule == RuleGap {
				gaps++
			}
		},
	}, frames)
	return messages, gaps, n
}

// delays returns functions that delay segments, by name. servers are the ports of servers. times is the number of seeds
// for random delays.
func delays(servers map[uint16]bool, times int) map[string]func(*tcp.Segment) time.Duration {
	all := make(map[string]func(*tcp.Segment) time.Duration)
	for _, ms := range []int64{1, 5, 50, 500, 3000} {
		late := time.Duration(ms) * time.Millisecond
		when := func(yes bool) time.Duration { return map[bool]time.Duration{true: late}[yes] }
		all[fmt.Sprint("data of servers, ", late)] = func(s *tcp.Segment) time.Duration { return when(servers[s.SrcPort]) }
		all[fmt.Sprint("data of clients, ", late)] = func(s *tcp.Segment) time.Duration { return when(!servers[s.SrcPort]) }
		for seed := range times {
			r := rand.New(rand.NewPCG(uint64(seed), uint64(ms)))
			all[fmt.Sprint("some data, ", late, ", seed ", seed)] = func(*tcp.Segment) time.Duration { return when(r.IntN(4) == 0) }
			all[fmt.Sprint("up to ", late, ", seed ", seed)] = func(*tcp.Segment) time.Duration {
				return time.Duration(r.Int64N(int64(late)))
			}
		}
	}
	return all
}

// Some hosts write data to the capture after the acknowledgements of that data. Even data that is seconds late is read
// as if it had come in time. Bytes that were not acknowledged before a reset may remain unread; they are counted as
// skipped.
func TestLateData(t *testing.T) {
	wiretest.WithoutDetector(t)
	times := 1
	if wiretest.Full() {
		times = 4
	}
	for file, frames := range recorded() {
		servers := make(map[uint16]bool)
		for i := range frames {
			if s, ok := segmentOf(&frames[i]); ok && s.Flags.Has(tcp.SYN) && s.Flags.Has(tcp.ACK) {
				servers[s.SrcPort] = true
			}
		}
		if few := len(frames) < 2000 && !strings.HasPrefix(file, "bz17-var-"); len(servers) == 0 || !few && !wiretest.Full() {
			continue
		}
		if slices.ContainsFunc(frames, func(f Frame) bool { return f.Length > len(f.Data) }) {
			continue // a stream that lacks bytes and is out of order may be recognised later
		}
		if file == "bz24-query.pcap" {
			frames = copied(frames, 10)
		}
		messages, gaps, before := messagesIn(t, frames)
		all := delays(servers, times)
		for _, name := range slices.Sorted(maps.Keys(all)) { // the same order in each run
			got, found, after := messagesIn(t, delayed(frames, all[name]))
			for _, why := range []Reason{AroundGap, BeforeFirst, Late, Misplaced} {
				if after.Skipped[why] != before.Skipped[why] || found != gaps {
					t.Errorf("%s, %s: %d bytes %s, %d gaps, want %d bytes, %d gaps",
						file, name, after.Skipped[why], why, found, before.Skipped[why], gaps)
				}
			}
			if why := BeforeRecognised; after.Skipped[why] > before.Skipped[why] {
				t.Errorf("%s, %s: %d bytes %s, want at most %d", file, name, after.Skipped[why], why, before.Skipped[why])
			}
			moreAfterEnd := after.Skipped[BehindEnd] > before.Skipped[BehindEnd]
			for m, n := range messages {
				// In Iceball's HTTP, a late request changes how its answer is read.
				if got[m] < n && !moreAfterEnd && file != "iceball-http.pcap" {
					t.Errorf("%s, %s: found %d of %d times: %.200s", file, name, got[m], n, m)
				}
			}
		}
	}
}

// copied returns n interleaved copies of a capture, each with its own hosts.
func copied(frames []Frame, n int) (all []Frame) {
	for _, f := range frames {
		for i := range n {
			f.Data = bytes.Clone(f.Data)
			f.Data[14+12+1], f.Data[14+16+1] = byte(i), byte(i) // the second bytes of the IPv4 addresses
			all = append(all, f)
		}
	}
	return all
}
