package bzflag24

import (
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// takeOther handles a message to or from a server of another version. A client that does not support the version closes
// the connection after the hello; other clients continue.
func (t *attemptTracker) takeOther(m message, r bzflag.Route) {
	if !m.tcp() || t.account == nil {
		return
	}
	switch b := m.layer.Body.(type) {
	case *ConnectHeader:
		x := t.account.Begin(joins, m.place, r.Client, r.Server)
		x.Reach(m.place, stepGreeting)
	case *ServerHello:
		if m.unreadable() || len(b.Version) < bzflag.VersionSize {
			return
		}
		x := t.account.Begin(joins, m.place, r.Client, r.Server)
		x.Reach(m.place, stepHello)
		x.SetTag(binary.BigEndian.Uint32(b.Version[len(bzflag.Magic):]))
	default:
		if m.layer.Direction == wire.ToServer {
			t.account.Of(joins, r.Client, r.Server).SetTag(0)
		}
	}
}

// takeEnd handles the end of one direction of a connection. If the client sent nothing after the hello of another
// version, the client has refused the join.
func (t *attemptTracker) takeEnd(p *wire.Place) {
	if x := t.account.Of(joins, p.Src, p.Dst); x != nil && p.Transport == wire.TCP && x.Tag() != 0 && !p.Lossy {
		version := string(binary.BigEndian.AppendUint32([]byte(bzflag.Magic), x.Tag()))
		x.Refuse(p, wire.Asker, "the client leaves after a hello with another version", version+" is "+release(version))
	}
	t.account.Ended(p)
}
