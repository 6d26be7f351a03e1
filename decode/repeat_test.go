package decode

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// diary is a tracker that records its calls.
type diary struct {
	listener
	seen []string
}

func (d *diary) Message(l wire.Layer, p *wire.Place) {
	text := string(l.Core().Body.(*toyText).text)
	if p.Lossy {
		text += " lossy"
	}
	d.seen = append(d.seen, text)
}
func (d *diary) Lost(*wire.Place) { d.seen = append(d.seen, "lost") }
func (d *diary) Jump(now int64)   { d.seen = append(d.seen, fmt.Sprint("jump ", (now-toyStart)/1e9)) }

// follow returns an engine and its tracker, a diary.
func follow(t *testing.T, p wire.Protocol, parallel bool) (*table, *diary) {
	d := new(diary)
	p.NewTracker = func(*wire.Reporter) wire.Tracker { return d }
	return newTable(t, Options{Protocols: []*wire.Protocol{&p}, Parallel: parallel}), d
}

// at passes a datagram to the engine, with a time, an IP identification and a hop limit.
func (t *table) at(when time.Duration, id, hops byte, src, dst, text string) {
	b := udpPacket(t.tb, src, dst, saying("S>", text))
	b[5], b[8] = id, hops
	t.number++
	t.Frame(&Frame{Data: b, Length: len(b), Time: toyStart + int64(when), Link: ip.LinkRaw, Number: t.number})
}

// TestRepeatedPackets passes pairs of packets to an engine. The tracker must not see the second packet if it may be a
// copy of the first, captured on another link.
func TestRepeatedPackets(t *testing.T) {
	for _, c := range []struct {
		name        string
		first, next [2]byte // IP identification and hop limit
		after       time.Duration
		src, text   string
		want        bool
	}{
		{"at once", [2]byte{7, 64}, [2]byte{7, 64}, time.Microsecond, client, "a", true},
		{"two seconds later", [2]byte{7, 64}, [2]byte{7, 63}, 2 * time.Second, client, "a", true},
		{"later than that", [2]byte{7, 64}, [2]byte{7, 63}, 2*time.Second + time.Millisecond, client, "a", false},
		{"with another identification", [2]byte{7, 64}, [2]byte{8, 64}, time.Microsecond, client, "a", false},
		{"with other bytes", [2]byte{7, 64}, [2]byte{7, 64}, time.Microsecond, client, "b", false},
		{"from another port", [2]byte{7, 64}, [2]byte{7, 64}, time.Microsecond, other, "a", false},
		{"no identification, after a router", [2]byte{0, 64}, [2]byte{0, 63}, 3 * time.Millisecond, client, "a", true},
		{"no identification, too late", [2]byte{0, 64}, [2]byte{0, 63}, 4 * time.Millisecond, client, "a", false},
		{"no identification, the same link", [2]byte{0, 64}, [2]byte{0, 64}, time.Microsecond, client, "a", false},
	} {
		for _, parallel := range []bool{false, true} {
			var e *table
			var d *diary
			for range 2 { // two seeds, because with one seed in 256 the two frames have the same hash
				frameSeed = maphash.MakeSeed()
				e, d = follow(t, *chess, parallel)
				e.at(0, c.first[0], c.first[1], client, server, "a")
				e.at(c.after, c.next[0], c.next[1], c.src, server, c.text)
				e.Close()
				if (len(d.seen) == 1) == c.want {
					break
				}
			}
			if got := len(d.seen) == 1; got != c.want || len(e.messages) != 2 {
				t.Errorf("%s, parallel %t: the tracker has seen %q of the messages %q", c.name, parallel, d.seen, e.messages)
			}
		}
	}
}

// A series of datagrams is repeated completely before it is recognised. The copies must not count as unrecognised
// datagrams.
func TestRepeatedSeries(t *testing.T) {
	e, d := follow(t, *chess, false)
	e.step = int64(10 * time.Millisecond)
	var want []string
	for copies := range 2 {
		for i := range maxHeld {
			b := udpPacket(t, client, offPort, saying("M>", fmt.Sprint(i))) // not enough evidence on another port
			b[5] = byte(i + 1)
			e.packet(b)
			if copies == 0 {
				want = append(want, fmt.Sprint(i))
			}
		}
	}
	e.say(client, offPort, saying("S>", "sure"))
	e.Close()
	if want = append(want, "sure"); !slices.Equal(d.seen, want) || len(e.messages) != len(want) {
		t.Errorf("the tracker has seen %q, want %q", d.seen, want)
	}
}

// TestJumps passes packets with certain times to an engine, and compares the jumps that the tracker sees.
func TestJumps(t *testing.T) {
	hour := int64(3600)
	steady := func(then ...int64) []int64 {
		return append([]int64{0, 5000, 14_000, 20_000, 25_000, 30_000}, then...)
	}
	for _, c := range []struct {
		name  string
		times []int64 // in milliseconds
		want  []int64 // times after the jumps, in seconds
	}{
		{"usual traffic", []int64{0, 1000, 999, 950, 2000, 30_000}, nil},
		{"set back", []int64{0, 1000, 899, 1500}, []int64{0}},
		{"set back far", []int64{hour * 1000, hour*1000 + 1, 0, 1000}, []int64{0}},
		{"set forward, or interrupted", []int64{0, 1000, hour * 1000}, []int64{hour}},
		{"steady traffic stops", steady(71_000, 112_000), []int64{71}},
		{"a pause in steady traffic", steady(69_000), nil},
		{"a longer pause than before", []int64{0, 40_000, 45_000, 50_000, 60_000, 65_000, 74_000, 150_000}, nil},
		{"heartbeats now and then", []int64{0, 120_000, 120_050, 240_000, 540_000, 840_000}, nil},
		{"heartbeats stop", []int64{0, 120_000, 1_021_000}, []int64{1021}},
	} {
		e, d := follow(t, *chess, false)
		for i, at := range c.times {
			e.at(time.Duration(at)*time.Millisecond, byte(i+1), 64, client, server, "a")
		}
		e.Close()
		d.seen = slices.DeleteFunc(d.seen, func(s string) bool { return s == "a" })
		var want []string
		for _, s := range c.want {
			want = append(want, fmt.Sprint("jump ", s))
		}
		if !slices.Equal(d.seen, want) || len(e.findings) != min(len(want), 1) {
			t.Errorf("%s: %q, want %q; %q", c.name, d.seen, want, e.findings)
		}
	}
}

// If the caller reports the time while no packets come, as a live capture does, silence is not a jump.
func TestLiveSilence(t *testing.T) {
	e, d := follow(t, *chess, false)
	e.at(0, 1, 64, client, server, "a")
	for s := time.Second; s < time.Hour; s += time.Second {
		e.Time(toyStart + int64(s))
	}
	e.at(time.Hour, 2, 64, client, server, "b")
	if e.Close(); !slices.Equal(d.seen, []string{"a", "b"}) {
		t.Errorf("the tracker has seen %q", d.seen)
	}
}

// TestLossy checks that connections are marked as lossy if the capture lacks their beginning or has a gap.
func TestLossy(t *testing.T) {
	for _, c := range []struct {
		name string
		talk func(*wired)
		want []string
	}{
		{"whole", func(w *wired) { w.open(); w.send(0, saying("S?", "a")); w.send(1, saying("S!", "b")) }, []string{"a", "b"}},
		{"without its beginning", func(w *wired) { w.send(0, saying("S?", "a")) }, []string{"a lossy"}},
		{"reset after the message", func(w *wired) {
			w.open()
			w.send(0, saying("S?", "a"))
			w.at(1, w.seq[1], 4, "", 0)
		}, []string{"a", "lost", "lost"}},
		{"while another stream waits", func(w *wired) {
			w.open()
			w.send(0, saying("S?", "a"))
			w.lose(1, 10)
			w.send(1, saying("S!", "b"))
			w.say(client, offPort, saying("S>", "u"))
		}, []string{"a", "lost", "u", "lost"}},
		{"after a datagram that lacks a fragment", func(w *wired) {
			w.say(client, offPort, saying("S>", "u"))
			w.packet(lostParts(t, client, offPort)[0])
		}, []string{"u", "lost"}},
		{"across a jump", func(w *wired) {
			w.open()
			w.send(0, saying("S?", "a"))
			w.step += int64(6 * time.Minute)
			w.send(0, saying("S?", "b"))
		}, []string{"a", "jump", "b lossy"}},
	} {
		w := newWired(t, client, offPort)
		p := *toyStreams()
		p.Probe = chess.Probe
		e, d := follow(t, p, false)
		w.table = e
		c.talk(w)
		w.Close()
		for i := range d.seen {
			if len(d.seen[i]) > 4 && d.seen[i][:4] == "jump" {
				d.seen[i] = "jump"
			}
		}
		if !slices.Equal(d.seen, c.want) {
			t.Errorf("%s: the tracker has seen %q, want %q", c.name, d.seen, c.want)
		}
	}
}

// If several engines share a capture, all notice a jump, but only the engine that gets the packet reports it.
func TestJumpIsReportedOnce(t *testing.T) {
	reported := 0
	for own := range 2 {
		e, d := follow(t, *chess, false)
		for i, at := range []time.Duration{0, time.Second, time.Hour, 2 * time.Hour} {
			b := udpPacket(t, client, server, saying("S>", fmt.Sprint(i)))
			f := &Frame{Data: b, Length: len(b), Time: toyStart + int64(at), Link: ip.LinkRaw, Number: i + 1}
			if i%2 == own {
				e.Frame(f)
			} else {
				e.Skip(f)
			}
		}
		if e.Close(); len(d.seen) != 4 {
			t.Errorf("engine %d: the tracker has seen %q", own, d.seen)
		}
		reported += len(e.findings)
	}
	if reported != 1 {
		t.Errorf("the jump is reported %d times", reported)
	}
}

// If packets come in random order, the number of jumps is limited.
func TestJumpsAreBounded(t *testing.T) {
	e, d := follow(t, *chess, false)
	for i := range 4 * maxJumps {
		e.at(time.Duration(i%2)*time.Hour, byte(i), 64, client, server, "a")
	}
	e.Close()
	d.seen = slices.DeleteFunc(d.seen, func(s string) bool { return s == "a" })
	if len(d.seen) != maxJumps {
		t.Errorf("%d jumps", len(d.seen))
	}
}

// Conversations with few datagrams at a time take less memory, and recognise the same copies as other conversations.
func TestFewAndManyDatagrams(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	budget := bounded.NewBudget(1 << 20)
	table := newConversations(budget)
	few := 0
	for i := range 300 {
		k := testKey(i)
		k.transport = uint64(wire.UDP)
		c := table.find(&k)
		var all [2]repeats
		f := fingerprint{within: maxRepeatTime}
		for range 30 {
			f.when += uint32(r.IntN(int(maxRepeatTime)) >> r.IntN(4) << (i % 2 * 4))
			f.sum = uint32(1 + r.IntN(12))
			from := endA + end(r.IntN(2))
			want := all[from-endA].ring().repeated(&f)
			if got := table.repeated(c, from, &f); got != want {
				t.Fatalf("conversation %d: repeated is %v, want %v", i, got, want)
			}
			if !want {
				all[from-endA].ring().remember(&f)
				table.remember(c, from, &f)
			}
		}
		if c.connection&manyBit == 0 {
			few++
		}
	}
	if few == 0 || few == 300 {
		t.Errorf("%d of 300 conversations had few datagrams", few)
	}
	for table.Len() > 0 {
		table.Forget()
	}
	if n := budget.Used(); n != 0 {
		t.Errorf("the empty table takes %d bytes", n)
	}
}
