package decode

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/tcp"
)

// OtherTraffic counts packets that are none of ours, of one kind.
type OtherTraffic struct {
	OtherKind

	Packets int64
	Bytes   int64  // on the wire
	First   int    // number of the first one in its file
	File    string // where that is

	// Kinds is how many kinds are counted together, since there were too many: these have no kind. 0: it is one. There
	// may be more of them than are remembered.
	Kinds int
}

// OtherKind is a kind of packets that are none of ours.
type OtherKind struct {
	Link     uint16    // as registered by tcpdump.org
	Tunnel   ip.Tunnel // the innermost one
	Kind     ip.Kind
	Fragment bool   // of a datagram that never was whole
	Port     uint16 // the lower one of UDP or TCP; 0: none
}

// maxOthers is how many kinds are told apart.
const maxOthers = 4096

// others counts the packets that are none of ours. What may be ours still waits until that is known. The methods of a
// nil others do nothing: nobody asked.
type others struct {
	budget *bounded.Budget // of the conversations, which are forgotten where what waits of them takes too much

	rows  map[OtherKind]*charge
	rest  charge                 // of kinds that were few when there were too many
	kinds map[OtherKind]struct{} // these, as many as there is memory for

	conversations map[uint32]*undecidedPackets // by place
	datagrams     map[int64]*undecidedPackets  // in fragments, by number

	// The packet at hand.
	link   uint16
	tunnel ip.Tunnel
	now    charge
}

// undecidedPackets may be ours or not.
type undecidedPackets struct {
	kind    OtherKind
	charges []charge
	cost    int // bytes that the budget was told of
}

// undecidedCost is what undecided packets take besides their charges, with their place in a map.
const undecidedCost = int(unsafe.Sizeof(undecidedPackets{})) + 2*int(unsafe.Sizeof(uint64(0))+unsafe.Sizeof(uintptr(0)))

// A charge is packets to be counted.
type charge struct {
	packets, bytes int64
	tcp.Origin     // of the first
}

func (c *charge) add(o *charge) {
	if c.packets == 0 || o.packets > 0 && o.Serial < c.Serial {
		c.Origin = o.Origin
	}
	c.packets += o.packets
	c.bytes += o.bytes
}

func newOthers(wanted bool, b *bounded.Budget) *others {
	if !wanted {
		return nil
	}
	return &others{
		budget: b, rows: make(map[OtherKind]*charge), conversations: make(map[uint32]*undecidedPackets),
		datagrams: make(map[int64]*undecidedPackets), kinds: make(map[OtherKind]struct{}),
	}
}

// begin takes the next frame.
func (x *others) begin(f *Frame, o *tcp.Origin) {
	if x != nil {
		x.link, x.now = f.Link, charge{1, int64(max(f.Length, len(f.Data))), *o}
	}
}

// beginPacket takes the next packet of the frame. What the frame is counted for is the first one.
func (x *others) beginPacket() {
	if x != nil {
		x.tunnel = ip.NoTunnel
	}
}

// opened notes that the packet at hand is what a tunnel carries.
func (x *others) opened(t ip.Tunnel) {
	if x != nil {
		x.tunnel = t
	}
}

// take gives what the packet at hand is to be counted for, once.
func (x *others) take() charge {
	c := x.now
	x.now = charge{}
	return c
}

// other counts the packet at hand as one of a kind.
func (x *others) other(k ip.Kind, port uint16) {
	if x != nil {
		c := x.take()
		x.count(OtherKind{Link: x.link, Tunnel: x.tunnel, Kind: k, Port: port}, &c)
	}
}

// conversation counts the packet at hand as one of a conversation that is not recognised; it may be later, and then
// this packet is ours if it waits for that.
func (x *others) conversation(p *ip.Packet, c *conversation, waits bool) {
	if x == nil {
		return
	}
	port := min(c.portA, c.portB)
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
	if c.transport == uint8(wire.TCP) && len(u.charges) > 0 {
		u.charges[0].add(&now)
		return
	}
	x.wait(u, now)
}

// wait adds packets to those that are undecided.
func (x *others) wait(u *undecidedPackets, c charge) {
	if u.charges == nil {
		u.charges = make([]charge, 0, 1)
	}
	u.charges = append(u.charges, c)
	before := u.cost
	u.cost = undecidedCost + cap(u.charges)*int(unsafe.Sizeof(c))
	x.budget.Spend(u.cost - before)
}

// decided takes what was undecided out of a map, and gives it.
func decided[K comparable](x *others, waiting map[K]*undecidedPackets, of K) *undecidedPackets {
	u := waiting[of]
	if u != nil {
		x.budget.Spend(-u.cost)
		delete(waiting, of)
	}
	return u
}

// ours forgets the packets of a conversation that turned out to be ours.
func (x *others) ours(place uint32) {
	if x != nil {
		decided(x, x.conversations, place)
	}
}

// oneIsOurs does that for the first that still waits, or counts it, since another protocol's is the conversation.
func (x *others) oneIsOurs(place uint32, ours bool) {
	if x == nil {
		return
	}
	u := x.conversations[place]
	if u == nil || len(u.charges) == 0 {
		return
	}
	if !ours {
		x.count(u.kind, &u.charges[0])
	}
	u.charges = slices.Delete(u.charges, 0, 1)
}

// foreign counts the packets of a conversation that nobody waits for any more.
func (x *others) foreign(place uint32) {
	if x != nil {
		x.fold(decided(x, x.conversations, place))
	}
}

// fragment keeps the packet at hand until its datagram is whole or given up. 0 is the number of none.
func (x *others) fragment(p *ip.Packet, number int64) {
	if x == nil {
		return
	}
	now := x.take()
	kind := OtherKind{Link: x.link, Tunnel: x.tunnel, Kind: ip.KindOf(p), Fragment: true}
	if number == 0 {
		x.count(kind, &now)
		return
	}
	u := x.datagrams[number]
	if u == nil {
		u = &undecidedPackets{kind: kind}
		x.datagrams[number] = u
		x.wait(u, now)
		return
	}
	u.charges[0].add(&now)
}

// joined makes the packet at hand one with the fragments that came before it.
func (x *others) joined(number int64) {
	if x == nil {
		return
	}
	if u := decided(x, x.datagrams, number); u != nil {
		x.now.add(&u.charges[0])
	}
}

// dropped counts the fragments of a datagram that was given up.
func (x *others) dropped(number int64) {
	if x != nil {
		x.fold(decided(x, x.datagrams, number))
	}
}

func (x *others) fold(u *undecidedPackets) {
	if u == nil {
		return
	}
	for i := range u.charges {
		x.count(u.kind, &u.charges[i])
	}
}

// count counts packets of a kind.
func (x *others) count(k OtherKind, c *charge) {
	if c.packets == 0 {
		return
	}
	row := x.rows[k]
	if row == nil {
		if len(x.rows) >= maxOthers {
			x.merge()
		}
		row = new(charge)
		x.rows[k] = row
	}
	row.add(c)
}

// merge counts the smaller half of the kinds together.
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

// note remembers that a kind is among the rest, as it may come again.
func (x *others) note(k OtherKind) {
	const cost, part = 2 * int(unsafe.Sizeof(k)), 8 // some places in the map are free
	if _, known := x.kinds[k]; !known && len(x.kinds) < x.budget.Limit()/part/cost {
		x.kinds[k] = struct{}{}
		x.budget.Spend(cost)
	}
}

// all gives the kinds, the most frequent first.
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
