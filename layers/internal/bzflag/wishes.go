package bzflag

import (
	"slices"
	"strconv"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A WishKind is a kind of what a client asks for, which a server either tells all players or ignores without a word.
type WishKind uint8

// The kinds of wishes. What has an ID has that of the shot or of the flag.
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

// wishNouns are what sentences call one, and several.
var wishNouns = [wishKinds][2]string{
	Shots: {"shot", "shots"}, Lines: {"line of chat", "lines of chat"}, Deaths: {"MsgKilled", "MsgKilled"},
	Grabs: {"grab", "grabs"}, Drops: {"flag drop", "flag drops"}, Captures: {"capture", "captures"},
	Transfers: {"flag transfer", "flag transfers"}, Spawns: {"request to spawn", "requests to spawn"},
	Autopilots: {"request for autopilot", "requests for autopilot"},
}

// relayed reports whether a server passes a wish on as it is, if it grants it.
func (k WishKind) relayed() bool { return k <= Deaths }

// patience is how long after a wish it may be granted.
func (k WishKind) patience() int64 {
	if k == Spawns {
		return int64(10 * time.Second)
	}
	return int64(5 * time.Second)
}

const (
	maxWishes  = 64                            // of a game that are open
	wishMemory = int64(time.Minute)            // how long one is open if nothing shows that it is ignored
	crossing   = int64(time.Second)            // until both ends know what one says
	scanPause  = int64(250 * time.Millisecond) // from a look at the open ones to the next
	wishOrder  = int64(50 * time.Millisecond)  // by which a capture may show a wish after what grants it

	leastRefused = 3                            // shots and grabs that are worth saying, and
	refusedShare = 10                           // one of so many
	nearServer   = int64(30 * time.Millisecond) // a server that returns a shot so soon
)

// A Wish is what a client asks for.
type Wish struct {
	Kind    WishKind
	ID      uint16
	Private bool   // only the client itself would get the answer
	Cause   string // for which a server ignores it, if the capture shows one
}

// Wishes are those of the clients of a game that are open. The zero value is ready to use.
type Wishes struct {
	open   []openWish
	now    int64 // of the server's last message
	next   int64 // when to look at them again
	echoes bool  // the server returns shots to who shoots
}

type openWish struct {
	Wish
	of    *Wished
	place wire.Place
	own   bool // the client itself would have got the answer, and got what the server said later
	other bool // and so did another
}

// seen reports whether somebody would have seen the answer.
func (w *openWish) seen() bool { return w.own || w.other }

// Wished is what became of the wishes of a client. The zero value is ready to use.
type Wished struct {
	CallSign string // of the player

	kinds  [wishKinds]wishCount
	shot   uint16      // that was granted last
	near   bool        // a shot came back so soon that the network hardly loses one
	surely int32       // ignored shots that two clients would have got, which the network hardly loses
	first  *wire.Place // of a wish that was ignored
}

type wishCount struct {
	granted, ignored int32
	last             clock.Moment // when it was granted
	cause            string       // of all that were ignored; "": none is known, or they have several
}

// WishedSize is how many bytes a Wished takes.
const WishedSize = int(unsafe.Sizeof(Wished{}) + unsafe.Sizeof(wire.Place{}))

// Held is about how many bytes the wishes of a game take.
func (s *Wishes) Held() int { return cap(s.open) * int(unsafe.Sizeof(openWish{})) }

// Ask takes a wish of a client.
func (s *Wishes) Ask(of *Wished, w Wish, p *wire.Place) {
	last := of.kinds[w.Kind].last
	switch {
	case len(s.open) >= maxWishes:
		return
	case p.Time < s.now: // its stream waited for what the capture lacks: the answer came before
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

// Grant takes note that the server does what a client asked for; own says that it tells that client so.
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
		n.ignored = 0 // they only had to wait
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

// Taken takes note that a flag is no longer there for others than a client.
func (s *Wishes) Taken(by *Wished, flag uint16) {
	s.remove(func(w *openWish) bool { return w.of != by && w.Kind == Grabs && w.ID == flag })
}

// Answered takes note that the server answers a wish otherwise.
func (s *Wishes) Answered(of *Wished, kind WishKind) {
	s.remove(func(w *openWish) bool { return w.of == of && w.Kind == kind })
}

// Died takes note that a client's tank died, nil: that those of many did. What it just asked for may have come too
// late.
func (s *Wishes) Died(of *Wished, now int64) {
	s.remove(func(w *openWish) bool {
		return w.Kind != Lines && (of == nil || w.of == of) && clock.Elapsed(w.place.Time, now) <= crossing
	})
}

// Forget forgets the open wishes of a client, nil: of all.
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

// A Listener is a client that gets a message of the server.
type Listener struct {
	Wished *Wished // its own; nil: it asked for nothing yet
	Since  int64   // from then on the capture has all that the server sends it over TCP
	Joined int64   // from then on it gets what is for all players
	Shots  bool    // it gets shots, and the capture would have them
}

// Turn takes the time of a message of the server, and reports whether Hear has something to do.
func (s *Wishes) Turn(now int64) bool {
	s.now = max(s.now, now)
	return len(s.open) > 0 && now >= s.next
}

// Hear takes note that the server goes on: what it said before it has granted or ignored. Over UDP that is so for shots
// alone, which may be lost anyway.
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

// judge counts the wishes of a client, nil: of all, that are old enough; last says that no more is to come.
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

// Tell ends the wishes of a client, and returns which of them the server ignored, after what sentences call its player,
// and where the first is. It returns "" if that is none, or no more than chance and the network explain.
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
		return called + ": " + string(passed) + " came back to nobody", first
	case passed == nil:
		return called + ": " + string(done) + " had no effect", first
	}
	return called + ": " + string(passed) + " came back to nobody, " + string(done) + " had no effect", first
}

// refused reports whether it is worth saying how many wishes of a kind were ignored. A few shots may be lost, and a
// client may ask for a flag that it only almost reaches.
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

// append appends how many wishes of a kind were ignored, and why if that is known.
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
