package bzflag

import (
	"slices"
	"strconv"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A WishKind is the kind of a wish. A wish is a client's request that the server either grants with a message to all
// players or silently ignores.
type WishKind uint8

// The kinds of wishes.
const (
	Shots WishKind = iota
	Lines
	Deaths
	Grabs
	Drops
	Captures
	Transfers
	Spawns
	Autopilots
	wishKinds
)

// wishNouns are the nouns for use in sentences: singular and plural.
var wishNouns = [wishKinds][2]string{
	Shots: {"shot", "shots"}, Lines: {"line of chat", "lines of chat"}, Deaths: {"MsgKilled", "MsgKilled"},
	Grabs: {"grab", "grabs"}, Drops: {"flag drop", "flag drops"}, Captures: {"capture", "captures"},
	Transfers: {"flag transfer", "flag transfers"}, Spawns: {"request to spawn", "requests to spawn"},
	Autopilots: {"request for autopilot", "requests for autopilot"},
}

// relayed reports whether a server grants such a wish by relaying the message unchanged.
func (k WishKind) relayed() bool { return k <= Deaths }

// patience is the maximum time until a server grants a wish.
func (k WishKind) patience() int64 {
	if k == Spawns {
		return int64(10 * time.Second)
	}
	return int64(5 * time.Second)
}

const (
	maxWishes  = 64                            // maximum number of open wishes in a game
	wishMemory = int64(time.Minute)            // time after which an undecided wish is dropped
	crossing   = int64(time.Second)            // maximum time until a message reaches the other side
	scanPause  = int64(250 * time.Millisecond) // pause between scans of the open wishes
	wishOrder  = int64(50 * time.Millisecond)  // a capture may show a wish up to this long after its grant

	leastRefused = 3                            // minimum number of ignored shots or grabs that is reported
	refusedShare = 10                           // minimum share of ignored wishes that is reported: one in ten
	nearServer   = int64(30 * time.Millisecond) // maximum time until a nearby server returns a shot
)

// A Wish is a client's request. ID is the number of the shot or flag in question, if any.
type Wish struct {
	Kind    WishKind
	ID      uint16
	Private bool   // the server answers only the client itself
	Cause   string // why the server ignores the wish, if the capture shows a reason
}

// Wishes are the open wishes of the clients in a game. The zero value is ready to use.
type Wishes struct {
	open   []openWish
	now    int64 // time of the server's last message
	next   int64 // time of the next scan
	echoes bool  // the server also returns shots to the shooter
}

type openWish struct {
	Wish
	of    *Wished
	place wire.Place
	own   bool // the client has received later messages, so it would have received the answer
	other bool // another client has received later messages, so it would have received the answer
}

// seen reports whether any captured client would have received the answer by now.
func (w *openWish) seen() bool { return w.own || w.other }

// Wished is the outcome of the wishes of a client. The zero value is ready to use.
type Wished struct {
	CallSign string // the player's call sign

	kinds  [wishKinds]wishCount
	shot   uint16      // last granted shot
	near   bool        // a shot came back so soon that the server is near, so the network rarely loses shots
	surely int32       // number of ignored shots that two clients should have received, so loss by the network is unlikely
	first  *wire.Place // place of the first ignored wish
}

type wishCount struct {
	granted, ignored int32
	last             clock.Moment // time of the last grant
	cause            string       // cause of all ignored wishes; "": unknown, or several causes
}

// WishedSize is the size of a Wished in bytes.
const WishedSize = int(unsafe.Sizeof(Wished{}) + unsafe.Sizeof(wire.Place{}))

// Held returns the approximate number of bytes that the wishes of a game occupy.
func (s *Wishes) Held() int { return cap(s.open) * int(unsafe.Sizeof(openWish{})) }

// Ask records a wish of a client.
func (s *Wishes) Ask(of *Wished, w Wish, p *wire.Place) {
	last := of.kinds[w.Kind].last
	switch {
	case len(s.open) >= maxWishes:
		return
	case p.Time < s.now: // the stream waited for missing bytes, so the answer may have come already
		return
	case w.Kind == Shots:
		if of.shot == w.ID && last.Within(p.Time, wishOrder) {
			return
		}
	case w.Kind.relayed():
		if last.Within(p.Time, wishOrder) {
			return
		}
	case last.Within(p.Time, crossing):
		return
	}
	s.open = append(s.open, openWish{Wish: w, of: of, place: *p})
}

// Grant records that the server grants a wish of a client. own means that the server's message was sent to that client.
func (s *Wishes) Grant(of *Wished, kind WishKind, id uint16, now int64, own bool) {
	if of == nil {
		return
	}
	n := &of.kinds[kind]
	n.last = clock.At(now)
	if kind == Shots {
		s.grantShot(of, id, now, own)
		return
	}
	found := s.remove(func(w *openWish) bool { return w.of == of && w.Kind == kind })
	switch {
	case kind == Spawns:
		n.ignored = 0 // the ignored ones were only delayed
	case kind == Lines:
		n.granted += int32(found)
	case found > 0:
		n.granted++
	}
}

func (s *Wishes) grantShot(of *Wished, id uint16, now int64, own bool) {
	of.shot = id
	s.echoes = s.echoes || own
	for i := range s.open {
		if w := &s.open[i]; w.of == of && w.Kind == Shots && w.ID == id {
			of.kinds[Shots].granted++
			of.near = of.near || clock.Elapsed(w.place.Time, now) <= nearServer
			s.open = slices.Delete(s.open, i, i+1)
			return
		}
	}
}

// Taken records that a client took a flag, so other clients can no longer grab it.
func (s *Wishes) Taken(by *Wished, flag uint16) {
	s.remove(func(w *openWish) bool { return w.of != by && w.Kind == Grabs && w.ID == flag })
}

// Answered records that the server has answered a wish without granting it.
func (s *Wishes) Answered(of *Wished, kind WishKind) {
	s.remove(func(w *openWish) bool { return w.of == of && w.Kind == kind })
}

// Died handles the death of a client's tank, or of many tanks if of is nil. It drops the wishes from just before the
// death, because the server may have received them too late.
func (s *Wishes) Died(of *Wished, now int64) {
	s.remove(func(w *openWish) bool {
		return w.Kind != Lines && (of == nil || w.of == of) && clock.Elapsed(w.place.Time, now) <= crossing
	})
}

// Forget drops the open wishes of a client, or of all clients if of is nil.
func (s *Wishes) Forget(of *Wished) {
	s.remove(func(w *openWish) bool { return of == nil || w.of == of })
}

func (s *Wishes) remove(chosen func(*openWish) bool) (n int) {
	kept := s.open[:0]
	for i := range s.open {
		if w := &s.open[i]; !chosen(w) {
			kept = append(kept, *w)
		}
	}
	n = len(s.open) - len(kept)
	clear(s.open[len(kept):])
	s.open = kept
	return n
}

// A Listener is a client that receives a message from the server.
type Listener struct {
	Wished *Wished // nil: no wishes so far
	Since  int64   // since this time, the capture has all TCP data from the server
	Joined int64   // since this time, the client receives messages to all players
	Shots  bool    // the client receives shots, and the capture would show them
}

// Turn records the time of a message from the server. It reports whether the caller must call Hear.
func (s *Wishes) Turn(now int64) bool {
	s.now = max(s.now, now)
	return len(s.open) > 0 && now >= s.next
}

// Hear records that a client has received a message from the server. If the server had granted an earlier wish, the
// client would have received the grant before this message. A message over UDP shows this only for shots, which servers
// relay over UDP too.
func (s *Wishes) Hear(l *Listener, p *wire.Place) {
	s.next = clock.Add(p.Time, scanPause)
	for i := range s.open {
		w := &s.open[i]
		if s.hears(l, w, p) {
			w.own, w.other = w.own || l.Wished == w.of, w.other || l.Wished != w.of
		}
	}
	s.judge(nil, p.Time, false)
}

func (s *Wishes) hears(l *Listener, w *openWish, p *wire.Place) bool {
	own, at := l.Wished == w.of, w.place.Time
	switch {
	case clock.Elapsed(at, p.Time) < crossing, !own && (w.Private || at < l.Joined):
		return false
	case w.Kind == Shots:
		return l.Shots && at >= l.Joined && (!own || s.echoes)
	}
	return p.Transport == wire.TCP && at >= l.Since
}

// judge decides the wishes of a client, or of all clients if of is nil. A wish that has waited too long counts as
// ignored. last means that no further messages follow.
func (s *Wishes) judge(of *Wished, now int64, last bool) {
	s.remove(func(w *openWish) bool {
		age, wait := clock.Elapsed(w.place.Time, now), w.Kind.patience()
		if last && w.Kind != Spawns {
			wait = crossing
		}
		switch {
		case of != nil && w.of != of:
			return false
		case w.seen() && age >= wait:
			w.of.ignore(w)
			return true
		}
		return last || age > wishMemory
	})
}

func (of *Wished) ignore(w *openWish) {
	n := &of.kinds[w.Kind]
	if n.ignored == 0 {
		n.cause = w.Cause
	} else if n.cause != w.Cause {
		n.cause = ""
	}
	n.ignored++
	if w.Kind == Shots && w.own && w.other {
		of.surely++
	}
	if of.first == nil {
		place := w.place
		of.first = &place
	}
}

// Tell decides all wishes of a client. It returns a sentence about the ignored wishes, and the place of the first one.
// The sentence begins with called, the player's name. The sentence is "" if the server ignored no wishes, or so few
// that chance or the network may be the reason.
func (s *Wishes) Tell(of *Wished, called string, now int64) (sentence string, first *wire.Place) {
	s.judge(of, now, true)
	var passed, done []byte
	for k := range wishKinds {
		if !of.refused(k) {
			continue
		}
		if k.relayed() {
			passed = of.append(passed, k)
		} else {
			done = of.append(done, k)
		}
	}
	first = of.first
	defer func() { *of = Wished{CallSign: of.CallSign} }()
	switch {
	case passed == nil && done == nil:
		return "", nil
	case done == nil:
		return called + ": " + string(passed) + " not relayed", first
	case passed == nil:
		return called + ": " + string(done) + " without effect", first
	}
	return called + ": " + string(passed) + " not relayed, " + string(done) + " without effect", first
}

// refused reports whether the ignored wishes of a kind must be reported. The network may lose a few shots, and a client
// may request a flag just before another client takes it.
func (of *Wished) refused(k WishKind) bool {
	n := &of.kinds[k]
	asked := n.granted + n.ignored
	switch k {
	case Shots:
		least := max(leastRefused, asked/refusedShare)
		return n.ignored >= least && (of.near || of.surely >= least || n.ignored*2 > asked)
	case Grabs:
		return n.ignored >= leastRefused && n.ignored*refusedShare >= asked
	}
	return n.ignored > 0
}

// append appends the number of ignored wishes of a kind, and the cause if it is known.
func (of *Wished) append(b []byte, k WishKind) []byte {
	n := &of.kinds[k]
	asked := n.granted + n.ignored
	if b != nil {
		b = append(b, ", "...)
	}
	b = strconv.AppendInt(b, int64(n.ignored), 10)
	b = append(b, " of "...)
	b = strconv.AppendInt(b, int64(asked), 10)
	b = append(b, ' ')
	if asked == 1 {
		b = append(b, wishNouns[k][0]...)
	} else {
		b = append(b, wishNouns[k][1]...)
	}
	if n.cause != "" {
		b = append(append(append(b, " ("...), n.cause...), ')')
	}
	return b
}
