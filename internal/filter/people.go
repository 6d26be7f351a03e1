package filter

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// Who is the name of the field for the players that a message concerns. Its values are the names, numbers and addresses
// of these players. It has values only after a call of History.FollowPeople.
const Who = "who"

func (s *catalogue) addWho() {
	f := s.addSubjectField(Who, wire.String, func(x *Subject, v []Value) []Value { return append(v, x.people...) })
	f.Kinds = append(f.Kinds, wire.Uint, wire.Address)
}

// people records which player is at which end of a conversation, and finds the players that messages concern.
type people struct {
	kinds map[*wire.MessageType]*naming
	ends  *bounded.LRU[wire.ConversationID, end]
	seats *bounded.LRU[seat, seated]

	found, values []Value // for the current message
	room          []byte  // memory for the addresses in found
}

// A seat is a player number on a server.
type seat struct {
	server netip.AddrPort
	number uint64
}

// A seated is the player who has a seat.
type seated struct {
	at   netip.Addr // invalid if unknown
	name string
}

// An end is the player at the client's end of a conversation.
type end struct {
	client netip.AddrPort
	id     Value  // number or address; kind Group if unknown
	name   string // "" if unknown
}

// These names appear in the report that memory ran out.
var (
	endKind  = bounded.Kind{Name: "players at the ends of conversations", Silent: Who}
	seatKind = bounded.Kind{Name: "addresses of players", Silent: Who}
)

// FollowPeople makes the History record the numbers, names and addresses of players, within a memory budget. After
// that, the field Who has values.
func (h *History) FollowPeople(memory *bounded.Budget) {
	h.people = &people{
		kinds: make(map[*wire.MessageType]*naming),
		ends: bounded.NewLRU(memory, endKind, bounded.Values[wire.ConversationID, end]{
			Held: func(e *end) int { return cap(e.id.Bytes) + len(e.name) }}),
		seats: bounded.NewLRU(memory, seatKind, bounded.Values[seat, seated]{
			Held: func(s *seated) int { return len(s.name) }}),
	}
}

// A naming lists the fields that identify players in one type of message.
type naming struct {
	fields, senders [][]string // paths of all these fields, and of those that identify the sender
	private         bool
}

func (w *people) namingOf(p *wire.Protocol, m *wire.MessageType) *naming {
	n := w.kinds[m]
	if n != nil {
		return n
	}
	n = &naming{private: slices.Contains(p.People.Private, m.Name)}
	w.kinds[m] = n
	for _, f := range p.Describe(m) {
		listed := func(list []string) bool {
			return slices.ContainsFunc([]string{m.Name + "." + f.Name, f.Name, f.Name[strings.LastIndexByte(f.Name, '.')+1:]},
				func(name string) bool { return slices.Contains(list, name) })
		}
		if !f.Named && !listed(p.People.Fields) {
			continue
		}
		path := strings.Split(f.Name, ".")
		n.fields = append(n.fields, path)
		if f.Named && f.Computed || listed(p.People.Senders) {
			n.senders = append(n.senders, path)
		}
	}
	return n
}

// take returns the players that a message concerns. The result is valid until the next call. The caller must call take
// once for each message, in order.
func (w *people) take(m *decode.Message) []Value {
	w.found, w.room = w.found[:0], w.room[:0]
	kind := m.Layer.Core().Message
	if m.Protocol.People == nil || kind == nil {
		return nil
	}
	server, client := m.Dst, m.Src
	if m.Direction == wire.FromServer {
		server, client = client, server
	}
	n := w.namingOf(m.Protocol, kind)
	t := m.Tree()
	id, name := w.read(t, n.fields)
	switch {
	case m.Direction == wire.ToServer:
		w.recordSender(&m.Place, t, n, name)
	case m.Direction == wire.FromServer && id.Kind == wire.Enum && name != nil:
		w.nameSeat(seat{server, id.Num}, name)
	}
	w.addSeats(server)
	if m.Direction == wire.ToServer || m.Direction == wire.FromServer && n.private {
		w.addEnd(&m.Place, client)
	}
	return w.found
}

// read finds the players that the fields identify. It returns the last number or address, and the last name.
func (w *people) read(t *wire.Tree, fields [][]string) (id Value, name []byte) {
	for _, path := range fields {
		w.values = collect(t, 0, int32(len(t.Nodes)), path, all, w.values[:0])
		for i := range w.values {
			switch v := &w.values[i]; {
			case v.Kind == wire.String:
				name = v.Bytes
				w.addName(name)
			case v.isPlayer():
				id = *v
				w.addID(v)
				w.addName(v.calledBy())
			}
		}
	}
	return id, name
}

// isPlayer reports whether a value is the number or the address of a player. If the protocol has a name for a number,
// that number does not identify a player.
func (v *Value) isPlayer() bool {
	return v.Kind == wire.Address || v.Kind == wire.Enum && (len(v.Bytes) > 0 || v.Symbols.Name(int64(v.Num)) == "")
}

// calledBy returns the name that other messages give to a player, or nil.
func (v *Value) calledBy() []byte {
	if v.Kind == wire.Address {
		return nameBytes(v.Symbols, 0)
	}
	return v.Bytes
}

func (w *people) addID(v *Value) {
	if v.Kind == wire.Enum {
		w.found = append(w.found, Value{Kind: wire.Uint, Num: v.Num})
	} else {
		w.found = append(w.found, Value{Kind: v.Kind, Bytes: v.Bytes})
	}
}

func (w *people) addName(name []byte) {
	if len(name) > 0 {
		w.found = append(w.found, Value{Kind: wire.String, Bytes: name})
	}
}

func (w *people) addAddress(a netip.Addr) {
	if a.IsValid() {
		start := len(w.room)
		w.room = append(w.room, a.Unmap().AsSlice()...)
		w.found = append(w.found, Value{Kind: wire.Address, Bytes: w.room[start:]})
	}
}

// addSeats adds the addresses of the players whose numbers are in w.found.
func (w *people) addSeats(server netip.AddrPort) {
	for i := range w.found {
		if v := &w.found[i]; v.Kind == wire.Uint {
			if s := w.seats.Get(seat{server, v.Num}); s != nil {
				w.addAddress(s.at)
			}
		}
	}
}

// nameSeat records the name of the player who has a number. If another player had the number before, nameSeat drops
// that player's address.
func (w *people) nameSeat(at seat, name []byte) {
	s := w.seats.Make(at)
	if s.name != string(name) {
		if s.name != "" {
			*s = seated{}
		}
		s.name = string(name)
	}
}

// recordSender records the player at the client's end of a conversation, from a message that this client sent. name is
// the player's name if the message contains it.
func (w *people) recordSender(p *wire.Place, t *wire.Tree, n *naming, name []byte) {
	e := w.ends.Make(p.ConversationID())
	if e.client != p.Src {
		*e = end{client: p.Src}
	}
	if len(name) > 0 && e.name != string(name) {
		e.name = string(name)
	}
	for _, path := range n.senders {
		w.values = collect(t, 0, int32(len(t.Nodes)), path, all, w.values[:0])
		for i := range w.values {
			v := &w.values[i]
			if !v.isPlayer() {
				continue
			}
			if e.id.Kind != v.Kind || e.id.Num != v.Num || string(e.id.Bytes) != string(v.Bytes) {
				e.id = Value{Kind: v.Kind, Num: v.Num}
				if v.Kind == wire.Address {
					e.id.Bytes = slices.Clone(v.Bytes)
				}
			}
			if called := v.calledBy(); len(called) > 0 && e.name != string(called) {
				e.name = string(called)
			}
			if s := w.seats.Make(seat{p.Dst, v.Num}); v.Kind == wire.Enum && s.at != p.Src.Addr() {
				*s = seated{at: p.Src.Addr()}
			}
		}
	}
}

// at returns the player at the client's end if the client sent the message in which a finding or an event occurred.
func (w *people) at(p *wire.Place) []Value {
	w.found, w.room = w.found[:0], w.room[:0]
	e := w.ends.Get(p.ConversationID())
	if p.Protocol != nil && p.Protocol.People != nil && e != nil && e.client == p.Src {
		w.addEnd(p, p.Src)
	}
	return w.found
}

// addEnd adds the player at the client's end of a conversation.
func (w *people) addEnd(p *wire.Place, client netip.AddrPort) {
	w.addAddress(client.Addr())
	e := w.ends.Get(p.ConversationID())
	if e == nil || e.client != client {
		return
	}
	if e.id.Kind != wire.Group {
		w.addID(&e.id)
	}
	w.addName(textBytes(e.name))
}
