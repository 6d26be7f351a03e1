package wire

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// State is state from earlier messages that is needed to read a message, such as whether both ends agreed to use
// compression. A Layer embeds it, and NewSession of its Protocol is NewStates[T]:
//
//	type Layer struct {
//		wire.Base
//		wire.State[phase]
//	}
//
// Walk reads Before, and sets After if the message changes the state. Each connection, or UDP conversation, has its own
// state, which begins as the zero value of T and ends with the connection. The viewer needs no Keeper for it. If T
// refers to further memory, as Parts does, it must have a method Held() int that returns the number of bytes.
type State[T comparable] struct {
	Before T    // state after the earlier messages of both directions
	After  T    // state after this message; equals Before unless Walk sets it
	Missed bool // the capture may lack earlier messages of the connection, so Before may be wrong
}

// NewStates makes the Session that keeps the State of each connection, for layers that embed a State[T].
func NewStates[T comparable](memory *bounded.Budget) Session {
	if memory == nil {
		memory = bounded.NewBudget(bounded.DefaultMemory)
	}
	kind := bounded.Kind{Name: "states of connections", Silent: "message that depends on earlier ones"}
	held := func(t *T) int { return keptState[T]{before: *t}.Held() }
	return states[T]{bounded.NewLRU(memory, kind, bounded.Values[talk, T]{Held: held})}
}

// A holder is a state that refers to further memory, such as Parts.
type holder interface{ Held() int }

// states is the Session of NewStates.
type states[T comparable] struct{ *bounded.LRU[talk, T] }

// talk is a connection or conversation: its two ends, in an order that does not depend on the sender.
type talk struct {
	transport Transport
	a, b      netip.AddrPort
}

func talkOf(t Transport, a, b netip.AddrPort) talk {
	if a.Compare(b) > 0 {
		a, b = b, a
	}
	return talk{t, a, b}
}

func (s states[T]) Before(l Layer, d *Datagram) {
	x := l.(interface{ state() *State[T] }).state()
	*x = State[T]{Missed: d.Lossy}
	if known := s.Get(talkOf(l.Core().Context.Transport, d.Src, d.Dst)); known != nil {
		x.Before, x.After = *known, *known
	}
}

func (s states[T]) After(l Layer, d *Datagram) {
	x := l.(interface{ state() *State[T] }).state()
	if x.Changes() {
		*s.Make(talkOf(l.Core().Context.Transport, d.Src, d.Dst)) = x.After
	}
}

func (s states[T]) Closed(t Transport, a, b netip.AddrPort) { s.Delete(talkOf(t, a, b)) }

// keptState is the value that Keep returns for a State.
type keptState[T comparable] struct {
	before T
	missed bool
}

// Held returns the number of bytes to which the state refers.
func (k keptState[T]) Held() int {
	if h, ok := any(k.before).(holder); ok {
		return h.Held()
	}
	return 0
}

func (s *State[T]) state() *State[T] { return s }

// Changes reports whether the message changes the state.
func (s *State[T]) Changes() bool { return s.After != s.Before }

// Keep returns the value that Recall needs; see the function Keep.
func (s *State[T]) Keep() any { return keptState[T]{s.Before, s.Missed} }

// restore restores a value that Keep returned.
func (s *State[T]) restore(kept any) {
	k, _ := kept.(keptState[T])
	s.Before, s.After, s.Missed = k.before, k.before, k.missed
}
