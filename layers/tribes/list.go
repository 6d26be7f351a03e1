package tribes

import (
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// MasterListReply is type 0x06, one packet of a master's list of game servers. See PACKET TYPE 0x06 in the protocol
// document.
type MasterListReply struct {
	Number   uint8 // number of this packet, from 1
	Total    uint8 // number of packets of the list
	Key      [2]byte
	MasterID uint16
	Name     []byte // name of the master; only in packet 1
	MOTD     []byte // message of the day; only in packet 1
	Reserved uint8  // for real clients, the high byte of the count
	Count    uint8
	Servers  []Server
	Trailing []byte

	layout listLayout
}

// Server is an entry of a list.
type Server struct {
	Marker uint8 // 6: the number of bytes that follow
	IP     [4]byte
	Port   uint16
}

const (
	serverSize  = 7
	entryMarker = 6
)

// AddrPort returns the server's endpoint.
func (s *Server) AddrPort() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4(s.IP), s.Port)
}

// listLayout is a layout of a list. The zero value is the layout that the document describes and nearly all masters
// use.
type listLayout struct {
	stringsElsewhere bool // packet 1 has no strings, or a later packet has some
	noReserved       bool // there is no byte before the count
}

// otherLayouts are the layouts to try if the usual layout does not match the packet.
var otherLayouts = [...]listLayout{{noReserved: true}, {stringsElsewhere: true}}

// countFits reports whether a list contains exactly as many servers as it announces.
func (l *Layer) countFits(r *MasterListReply) bool {
	if l.Fault() != nil || len(r.Trailing) > 0 || len(r.Servers) != r.count() {
		return false
	}
	for i := range r.Servers {
		if r.Servers[i].Marker != entryMarker {
			return r.layout == listLayout{} // in the usual layout, a wrong marker is an error of the sender
		}
	}
	return true
}

func (r *MasterListReply) Walk(c *wire.Cursor) {
	wire.U8(c, "packet_number", &r.Number)
	wire.U8(c, "packet_total", &r.Total)
	if !c.Failed() && (r.Number == 0 || r.Number > r.Total) {
		c.ReportRange(ruleNumber, 2, 2, "packet %d of %d", r.Number, r.Total)
	}
	wire.Opaque(c, "key", r.Key[:])
	wire.U16(c, "master_id", &r.MasterID)
	if c.When((r.Number == 1) != r.layout.stringsElsewhere) {
		r.strings(c)
	}
	if r.layout.stringsElsewhere && !c.Failed() {
		c.Report(ruleStrings, "packet %d %s name and MOTD", r.Number, [...]string{"has", "lacks"}[btoi(r.Number == 1)])
	}
	r.servers(c)
	trailing(c, &r.Trailing)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// strings reads the name of the master and its message of the day.
func (r *MasterListReply) strings(c *wire.Cursor) {
	if c.Dialect() == wire.Document {
		wire.Text8(c, "motd", &r.MOTD)
		wire.Text8(c, "master_name", &r.Name)
		return
	}
	wire.Text8(c, "master_name", &r.Name)
	wire.Text8(c, "motd", &r.MOTD)
}

func (r *MasterListReply) servers(c *wire.Cursor) {
	if c.When(!r.layout.noReserved) {
		wire.U8(c, "reserved", &r.Reserved)
	} else {
		c.ReportRange(ruleReserved, c.Offset(), 1, "the count stands where the reserved byte belongs")
	}
	wire.Count8(c, "number_of_servers", &r.Count, len(r.Servers)&0xff)
	at := c.Offset() - 1
	wire.List(c, "servers", &r.Servers, wire.UntilEnd, serverSize, (*Server).walk)
	if n := len(r.Servers); c.Reading() && !c.Failed() && !c.Truncated() && n != r.count() {
		c.ReportRange(ruleCount, at, 1, "%d servers announced, %d found", r.count(), n)
	}
	if c.Reading() {
		r.checkEntries(c, at+1)
	}
}

// count returns the announced number of servers, read as real clients read it.
func (r *MasterListReply) count() int { return int(r.Reserved)<<8 | int(r.Count) }

func (s *Server) walk(c *wire.Cursor) {
	wire.U8(c, "reserved", &s.Marker)
	wire.IPv4(c, "ip", &s.IP)
	c.LittleEndian()
	wire.U16(c, "port", &s.Port)
	c.BigEndian()
}

// checkEntries checks the entries, which begin at off. It reports all entries with the same error in one finding.
func (r *MasterListReply) checkEntries(c *wire.Cursor, off int) {
	var marker, bad, again tally
	var places [512]uint64 // on the stack; datagrams of the usual size have far fewer entries
	seen := serverSet{places: places[:]}
	whole := len(r.Servers)
	if c.Failed() && whole > 0 {
		whole-- // the snap length cut the last entry
	}
	for i := range whole {
		s := &r.Servers[i]
		if s.Marker != entryMarker {
			marker.add(i)
		}
		if s.Port == 0 || unreachable(s.IP) {
			bad.add(i)
		}
		if !seen.add(s) {
			again.add(i)
		}
	}
	report := func(rule *wire.Rule, t tally, what string) {
		if t.n > 0 {
			s := &r.Servers[t.first]
			c.ReportRange(rule, off+t.first*serverSize, serverSize, "%d of %d entries %s, the first is %d: %s",
				t.n, len(r.Servers), what, t.first, s.AddrPort())
		}
	}
	report(ruleMarker, marker, "do not begin with 6")
	report(ruleEntry, bad, "cannot be reached")
	report(ruleRepeated, again, "repeat an earlier entry")
}

// tally counts the entries with an error and remembers the first of them.
type tally struct{ n, first int }

func (t *tally) add(i int) {
	if t.n == 0 {
		t.first = i
	}
	t.n++
}

// unreachable reports whether an address cannot belong to a single host: it is unspecified, multicast or broadcast.
func unreachable(ip [4]byte) bool {
	return ip == [4]byte{} || ip[0]>>4 == 14 || ip == [4]byte{255, 255, 255, 255}
}

func (r *MasterListReply) AnswerKey() []byte { return r.Key[:] }

func (r *MasterListReply) AppendSummary(b []byte) []byte {
	b = strconv.AppendUint(b, uint64(r.Number), 10)
	b = append(b, '/')
	b = strconv.AppendUint(b, uint64(r.Total), 10)
	b = append(b, "  "...)
	b = strconv.AppendInt(b, int64(len(r.Servers)), 10)
	b = append(b, " servers"...)
	if len(r.Servers) == 1 {
		b = b[:len(b)-1]
	}
	if r.Name != nil {
		b = append(b, "  "...)
		b = format.AppendQuoted(b, r.Name)
	}
	return b
}
