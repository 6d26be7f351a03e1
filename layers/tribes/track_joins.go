package tribes

import (
	"bytes"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// checkConnection follows the packets by which a player's game connects to a server. The connection number
// distinguishes attempts from the same port.
func checkConnection(account *attempt.Account, g *GameConnection, p *wire.Place) {
	if account == nil {
		return
	}
	h, ok := readHead(g.Data)
	if !ok || h.kind == kindData {
		return
	}
	switch h.kind {
	case kindRequest:
		x := account.Of(joins, p.Src, p.Dst)
		if x != nil && x.Outcome() != wire.Open && x.Tag() != h.connection {
			x.End(p)
		}
		x = account.Begin(joins, p, p.Src, p.Dst)
		x.SetTag(h.connection)
		x.Try(p, stepRequested)
	case kindAccept:
		account.Of(joins, p.Dst, p.Src).Reach(p, stepAccepted)
	case kindReject:
		cause := rejection(g.Data)
		if cause == "" {
			cause = attempt.NoReason
		}
		account.Of(joins, p.Dst, p.Src).Refuse(p, wire.Asked, cause, "")
	case kindDisconnect:
		account.Of(joins, p.Src, p.Dst).End(p)
		account.Of(joins, p.Dst, p.Src).End(p)
	}
}

// rejection returns the text of a ConnectReject. It can read the text only if the text begins at a byte boundary: after
// a header without acknowledgements, and the connection number.
func rejection(data []byte) string {
	const head = 3 + 4
	if len(data) <= head || int(data[head]) != len(data)-head-1 {
		return ""
	}
	text := data[head+1:]
	if bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return ""
	}
	return string(bytes.ToValidUTF8(text, nil))
}
