package wiretest

import (
	"bytes"
	"fmt"
	"net/netip"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// player passes the messages of a talk (see Talks) to a protocol, as the engine does, and records the findings and
// values.
type player struct {
	*talk
	protocol      *wire.Protocol
	layer         wire.Layer
	session       wire.Session
	tracker       wire.Tracker
	reporter      *wire.Reporter  // the tracker's
	memory        *bounded.Budget // shared by session and tracker
	lanes         map[ends]uint32
	last          int                   // number of the newest conversation
	closed        map[ends]bool         // connections that were closed, by sender
	renewed       map[uint32]int        // by lane/2: number of a conversation whose ports were used before
	memos         map[uint32]*wire.Memo // by lane/2
	conversations int                   // number of conversations that have lanes
	broken        map[string]int        // number of findings by rule
	breaks        map[int][]string      // findings by turn, in the form of the header "breaks"
	lossy         map[int]bool          // conversations that lack bytes
	output        []byte
	quiet         bool // output stays empty
	now           int64
	shown         func() // called after each message, if not nil
}

func newPlayer(t *talk, p *wire.Protocol) *player {
	return newPlayerWith(t, p, bounded.NewBudget(bounded.DefaultMemory))
}

func newPlayerWith(t *talk, p *wire.Protocol, memory *bounded.Budget) *player {
	y := &player{talk: t, protocol: p, layer: p.New(), memory: memory, lanes: make(map[ends]uint32),
		conversations: 1 << 20, lossy: make(map[int]bool), broken: make(map[string]int), breaks: make(map[int][]string),
		closed: make(map[ends]bool), renewed: make(map[uint32]int), memos: make(map[uint32]*wire.Memo)}
	if p.NewSession != nil {
		y.session = p.NewSession(y.memory)
	}
	y.track(&wire.Reporter{Finding: y.finding, Value: y.value, Memory: y.memory})
	return y
}

// track makes a tracker that reports to r.
func (y *player) track(r *wire.Reporter) {
	y.reporter, y.tracker = r, y.protocol.NewTracker(r)
}

// play returns the output for the talk, and counts its findings in broken.
func (t *talk) play(p *wire.Protocol, broken map[string]int) []byte {
	y := newPlayer(t, p)
	y.broken = broken
	y.show(t.turns)
	y.tracker.Close(y.now)
	return y.output
}

func (y *player) show(turns []turn) {
	for i := range turns {
		y.turn(i, &turns[i])
	}
}

func (y *player) turn(i int, n *turn) {
	if n.what == "jump" {
		y.now = n.when
		for _, lane := range y.lanes {
			y.lossy[y.number(lane)] = true
		}
		y.tracker.Jump(y.now)
		return
	}
	y.now = max(y.now, n.when)
	y.tracker.Time(y.now)
	way := ends{n.src, n.dst, wire.TCP}
	if y.closed[way] && (n.what == "tcp" || n.what == "lost") {
		y.renew(way)
	}
	place := y.place(n)
	place.Frame = i + 1
	switch n.what {
	case "end", "wait":
	case "lost":
		y.lossy[place.Conversation] = true
		y.output = append(y.where(place), "  bytes are lost\n"...)
		if f, ok := y.session.(wire.Forgetter); ok {
			f.Lost(n.src, n.dst)
		}
		y.tracker.Lost(place)
	case "closed", "reset":
		y.output = append(append(append(y.where(place), "  "...), n.what...), '\n')
		y.end(place, n.what == "reset")
	case "icmp":
		y.output = append(y.where(place), "  is not delivered\n"...)
		y.reporter.Signal(wire.Undelivered, place)
	case "empty":
		y.output = append(y.where(place), "  is empty\n"...)
		y.reporter.Signal(wire.NoBytes, place)
	default:
		off := 0
		y.messages(n, place, func() {
			y.write(place)
			y.breaks[i] = appendBreaks(y.breaks[i], y.layer, off)
			off += len(y.layer.Core().Contents)
			if y.shown != nil {
				y.shown()
			}
		})
	}
}

// end ends one direction of a connection. A reset ends both.
func (y *player) end(place *wire.Place, reset bool) {
	way, back := ends{place.Src, place.Dst, wire.TCP}, ends{place.Dst, place.Src, wire.TCP}
	switch {
	case reset:
		y.reporter.Signal(wire.Resetting, place)
	case !y.closed[back]:
		y.reporter.Signal(wire.Finishing, place)
	}
	y.tracker.(wire.Ender).Ended(place)
	y.closed[way] = true
	if reset {
		other := *place
		other.Src, other.Dst, other.Lane = place.Dst, place.Src, wire.ReverseLane(place.Lane)
		y.tracker.(wire.Ender).Ended(&other)
		y.closed[back] = true
	}
}

func (y *player) place(n *turn) *wire.Place {
	place := &wire.Place{Time: n.when, Src: n.src, Dst: n.dst, Protocol: y.protocol}
	switch n.what {
	case "tcp", "lost", "closed", "reset":
		place.Transport = wire.TCP
	}
	place.Lane, place.Conversation = y.lane(ends{n.src, n.dst, place.Transport})
	place.Lossy = y.lossy[place.Conversation]
	return place
}

// ends are the endpoints of a conversation, source first.
type ends struct {
	src, dst  netip.AddrPort
	transport wire.Transport
}

// lane returns the lane of a direction and the number of the conversation. As in the engine, new conversations reuse
// the lanes of old ones.
func (y *player) lane(e ends) (lane uint32, conversation int) {
	at, ok := y.lanes[e]
	if !ok {
		y.last++
		at = uint32(y.last)
		if len(y.lanes) >= 2*y.conversations {
			clear(y.lanes)
		}
		y.lanes[e], y.lanes[ends{e.dst, e.src, e.transport}] = 2*at, 2*at+1
		at *= 2
	}
	return at%(2*uint32(y.conversations)) + 1, y.number(at)
}

func (y *player) number(lane uint32) int {
	if n, ok := y.renewed[lane/2]; ok {
		return n
	}
	return int(lane / 2)
}

// renew ends a connection if its sender closed it and now sends again. As in the engine, the next connection reuses its
// lanes.
func (y *player) renew(e ends) {
	delete(y.closed, e)
	delete(y.closed, ends{e.dst, e.src, e.transport})
	if s, ok := y.session.(wire.Closer); ok {
		s.Closed(e.transport, e.src, e.dst)
	}
	y.last++
	y.renewed[y.lanes[e]/2] = y.last
	delete(y.memos, y.lanes[e]/2)
}

// memo returns the memo of a lane's conversation.
func (y *player) memo(lane uint32) *wire.Memo {
	m := y.memos[lane/2]
	if m == nil {
		m = new(wire.Memo)
		y.memos[lane/2] = m
	}
	return m
}

// messages passes the messages of a turn to the session and the tracker, and calls a function after each message.
func (y *player) messages(n *turn, place *wire.Place, shown func()) {
	d := &wire.Datagram{Src: n.src, Dst: n.dst, Payload: n.data, Lane: place.Lane, Lossy: place.Lossy,
		Memo: y.memo(place.Lane)}
	part := y.layer.Core()
	for len(d.Payload) > 0 {
		part.Context = wire.Context{Transport: place.Transport, Direction: y.direction(n)}
		if y.session != nil {
			y.session.Before(y.layer, d)
		}
		_ = y.layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback) // write omits the summary if there is an error
		if y.session != nil {
			y.session.After(y.layer, d)
		}
		y.memory.Turn()
		y.tracker.Message(y.layer, place)
		if r, ok := y.tracker.(wire.Relay); ok {
			r.Told(nil, y.layer, place) // checks that the call does not change the findings
		}
		shown()
		if len(part.Contents) == 0 {
			return
		}
		d.Payload = part.Payload
	}
}

// write writes a line for the current message, followed by its findings.
func (y *player) write(place *wire.Place) {
	part := y.layer.Core()
	for _, f := range part.Findings() {
		y.broken[f.Rule.ID]++
	}
	if y.quiet {
		return
	}
	y.output = fmt.Appendf(y.where(place), "  %s", part.Message.Name)
	if part.Fault() == nil {
		y.output = bytes.TrimRight(format.AppendSummary(append(y.output, "  "...), y.layer), " ")
	}
	y.output = append(y.output, '\n')
	for _, f := range part.Findings() {
		y.output = fmt.Appendf(y.output, "  ! %s %s: %s\n", f.Rule.ID, f.Rule.Severity, f.Text)
	}
}

// where returns the beginning of a line.
func (y *player) where(p *wire.Place) []byte {
	return fmt.Appendf(y.output, "%.3f %s > %s", float64(p.Time)/1e9, y.names[p.Src], y.names[p.Dst])
}

// finding writes a finding that is not about the current message. In the output, the finding precedes the line of the
// message that caused it.
func (y *player) finding(r *wire.TrafficFinding) {
	if y.broken[r.Rule.ID]++; y.quiet {
		return
	}
	y.output = fmt.Appendf(y.output, "! %s %s: %s (", r.Rule.ID, r.Rule.Severity, r.Text)
	y.output = append(y.where(&r.Place), ")\n"...)
}

func (y *player) value(v *wire.Value) {
	if y.quiet {
		return
	}
	name := y.names[v.Server]
	if name == "" {
		name = v.Server.String()
	}
	y.output = append(append(y.output, "= "...), name...)
	if v.Who != "" {
		y.output = format.AppendEscaped(append(y.output, ' '), []byte(v.Who))
	}
	if v.Whom != "" {
		y.output = format.AppendEscaped(append(y.output, " > "...), []byte(v.Whom))
	}
	y.output = append(append(append(y.output, ' '), v.What...), ' ')
	if v.State || v.Event {
		y.output = append(format.AppendQuoted(y.output, []byte(v.Text)), '\n')
		return
	}
	y.output = fmt.Appendf(y.output, "%.4g%s\n", v.Number, v.Unit)
}
