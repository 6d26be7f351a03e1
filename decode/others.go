package decode

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// OtherTraffic counts the packets of one kind that do not belong to a recognised conversation.
type OtherTraffic struct {
	OtherKind

	Packets int64
	Bytes   int64  // on the wire
	First   int    // number of the first packet in its file
	File    string // file of the first packet

	// Kinds is the number of kinds that are counted together because there are too many; OtherKind is zero in that
	// case. 0 means a single kind. The number is a lower bound, because not all kinds are remembered.
	Kinds int
}

// OtherKind is a kind of packet that does not belong to a recognised conversation.
type OtherKind struct {
	Link     uint16    // as registered by tcpdump.org
	Tunnel   ip.Tunnel // the innermost tunnel
	Kind     ip.Kind
	Fragment bool   // fragment of a datagram that never became complete
	Port     uint16 // UDP and TCP: the server's port if a SYN showed it, otherwise the lower port; other transports: 0
}

// maxOthers is the maximum number of kinds that are counted separately.
const maxOthers = 4096

// others counts the packets that do not belong to a recognised conversation. Packets wait as long as their conversation
// may still be recognised. The methods of a nil *others do nothing.
type others struct {
	budget *bounded.Budget // the conversations' budget: if waiting packets take too much memory, conversations are dropped

	rows  map[OtherKind]*tally
	rest  tally                  // rare kinds, counted together
	kinds map[OtherKind]struct{} // kinds in rest, as many as memory allows

	conversations map[uint32]*undecidedPackets // by place of the conversation
	datagrams     map[int64]*undecidedPackets  // packets that are fragments, by number of the datagram

	// Data about the current packet.
	link   uint16
	tunnel ip.Tunnel
	now    tally

	serials
}

// undecidedPackets are packets that wait until their conversation is recognised or given up.
type undecidedPackets struct {
	kind    OtherKind
	tallies []tally
	cost    int // number of bytes charged to the budget
}

// undecidedCost is the size in bytes of undecidedPackets and their map entry, without the tallies.
const undecidedCost = int(unsafe.Sizeof(undecidedPackets{})) + 2*int(unsafe.Sizeof(uint64(0))+unsafe.Sizeof(uintptr(0)))

// A tally is a number of packets and bytes that are counted together.
type tally struct {
	packets, bytes int64
	tcp.Origin     // origin of the first packet
}

func (c *tally) add(o *tally) {
	if c.packets == 0 || o.packets > 0 && o.Serial < c.Serial {
		c.Origin = o.Origin
	}
	c.packets += o.packets
	c.bytes += o.bytes
}

func newOthers(o *Options, b *bounded.Budget) *others {
	if !o.Others && o.Other == nil {
		return nil
	}
	return &others{
		budget: b, serials: serials{each: o.Other, budget: b, waiting: make(map[*undecidedPackets][][]int64)},
		rows: make(map[OtherKind]*tally), conversations: make(map[uint32]*undecidedPackets),
		datagrams: make(map[int64]*undecidedPackets), kinds: make(map[OtherKind]struct{}),
	}
}

func (x *others) begin(f *Frame, o *tcp.Origin) {
	if x != nil {
		x.link, x.now = f.Link, tally{1, int64(max(f.Length, len(f.Data))), *o}
		x.mine = append(x.mine[:0], o.Serial)
	}
}

// beginPacket begins the next packet of the frame. A frame is counted with its first packet.
func (x *others) beginPacket() {
	if x != nil {
		x.tunnel = ip.NoTunnel
	}
}

// opened records that the current packet was in a tunnel.
func (x *others) opened(t ip.Tunnel) {
	if x != nil {
		x.tunnel = t
	}
}

// take returns the tally of the current frame. The next call returns an empty one, so a frame counts once.
func (x *others) take() tally {
	c := x.now
	x.now = tally{}
	return c
}

// other counts the current packet as a packet of the given kind.
func (x *others) other(k ip.Kind, port uint16) {
	if x != nil {
		c := x.take()
		x.count(OtherKind{Link: x.link, Tunnel: x.tunnel, Kind: k, Port: port}, &c)
		if c.packets > 0 {
			x.report(x.mine)
		}
	}
}

// conversation handles the current packet as a packet of an unrecognised conversation. If waits is set, the packet is
// counted when the conversation is given up.
func (x *others) conversation(p *ip.Packet, c *conversation, waits bool) {
	if x == nil {
		return
	}
	port := c.service()
	if !waits {
		x.other(ip.KindOf(p), port)
		return
	}
	u := x.conversations[c.place]
	if u == nil {
		u = &undecidedPackets{kind: OtherKind{Link: x.link, Tunnel: x.tunnel, Kind: ip.KindOf(p), Port: port}}
		x.conversations[c.place] = u
	}
	now := x.take()
	x.hold(u, now.packets > 0, c.transport == uint8(wire.TCP))
	if c.transport == uint8(wire.TCP) && len(u.tallies) > 0 {
		u.tallies[0].add(&now)
		return
	}
	x.wait(u, now)
}

func (x *others) wait(u *undecidedPackets, c tally) {
	if u.tallies == nil {
		u.tallies = make([]tally, 0, 1)
	}
	u.tallies = append(u.tallies, c)
	before := u.cost
	u.cost = undecidedCost + cap(u.tallies)*int(unsafe.Sizeof(c))
	x.budget.Spend(u.cost - before)
}

// decided removes undecided packets from a map and returns them, or nil if there are none.
func decided[K comparable](x *others, waiting map[K]*undecidedPackets, of K) *undecidedPackets {
	u := waiting[of]
	if u != nil {
		x.budget.Spend(-u.cost)
		delete(waiting, of)
	}
	return u
}

// ours drops the waiting packets of a conversation that was recognised.
func (x *others) ours(place uint32) {
	if x != nil {
		x.release(decided(x, x.conversations, place))
	}
}

// oneIsOurs removes the first waiting packet of a conversation, and counts it unless it belongs to the recognised
// protocol.
func (x *others) oneIsOurs(place uint32, ours bool) {
	if x == nil {
		return
	}
	u := x.conversations[place]
	if u == nil || len(u.tallies) == 0 {
		return
	}
	if !ours {
		x.count(u.kind, &u.tallies[0])
		x.report(x.first(u))
	}
	u.tallies = slices.Delete(u.tallies, 0, 1)
	x.dropFirst(u)
}

// foreign counts the waiting packets of a conversation that was given up.
func (x *others) foreign(place uint32) {
	if x != nil {
		x.fold(decided(x, x.conversations, place))
	}
}

// fragment makes the current packet wait until its datagram is complete or given up. If number is 0, it counts the
// packet at once.
func (x *others) fragment(p *ip.Packet, number int64) {
	if x == nil {
		return
	}
	now := x.take()
	kind := OtherKind{Link: x.link, Tunnel: x.tunnel, Kind: ip.KindOf(p), Fragment: true}
	if number == 0 {
		x.count(kind, &now)
		if now.packets > 0 {
			x.report(x.mine)
		}
		return
	}
	u := x.datagrams[number]
	if u == nil {
		u = &undecidedPackets{kind: kind}
		x.datagrams[number] = u
		x.hold(u, now.packets > 0, true)
		x.wait(u, now)
		return
	}
	x.hold(u, now.packets > 0, true)
	u.tallies[0].add(&now)
}

// joined adds the earlier fragments of a complete datagram to the current packet.
func (x *others) joined(number int64) {
	if x == nil {
		return
	}
	if u := decided(x, x.datagrams, number); u != nil {
		x.now.add(&u.tallies[0])
		x.mine = append(x.mine, x.release(u)...)
	}
}

// dropped counts the fragments of a datagram that was given up.
func (x *others) dropped(number int64) {
	if x != nil {
		x.fold(decided(x, x.datagrams, number))
	}
}

// fold counts packets that no longer wait.
func (x *others) fold(u *undecidedPackets) {
	if u == nil {
		return
	}
	for i := range u.tallies {
		x.count(u.kind, &u.tallies[i])
	}
	x.report(x.release(u))
}

func (x *others) count(k OtherKind, c *tally) {
	if c.packets == 0 {
		return
	}
	row := x.rows[k]
	if row == nil {
		if len(x.rows) >= maxOthers {
			x.merge()
		}
		row = new(tally)
		x.rows[k] = row
	}
	row.add(c)
}

// merge moves the smaller half of the kinds to rest.
func (x *others) merge() {
	var sizes []int64
	for _, c := range x.rows {
		sizes = append(sizes, c.packets)
	}
	slices.Sort(sizes)
	for k, c := range x.rows {
		if c.packets <= sizes[len(sizes)/2] {
			x.rest.add(c)
			x.note(k)
			delete(x.rows, k)
		}
	}
}

// note records that a kind is in rest, so the kind counts once even if it comes again.
func (x *others) note(k OtherKind) {
	const cost, part = 2 * int(unsafe.Sizeof(k)), 8 // maps have free entries, so an entry costs about twice its size
	if _, known := x.kinds[k]; !known && len(x.kinds) < x.budget.Limit()/part/cost {
		x.kinds[k] = struct{}{}
		x.budget.Spend(cost)
	}
}

// all returns the kinds, most frequent first.
func (x *others) all() []OtherTraffic {
	if x == nil {
		return nil
	}
	var all []OtherTraffic
	for k, c := range x.rows {
		all = append(all, OtherTraffic{OtherKind: k, Packets: c.packets, Bytes: c.bytes, First: c.Frame, File: c.File})
	}
	slices.SortFunc(all, func(a, b OtherTraffic) int {
		return cmp.Or(cmp.Compare(b.Packets, a.Packets), cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.File, b.File),
			cmp.Compare(a.First, b.First))
	})
	if c := &x.rest; c.packets > 0 {
		all = append(all, OtherTraffic{Kinds: len(x.kinds), Packets: c.packets, Bytes: c.bytes, First: c.Frame, File: c.File})
	}
	return all
}
