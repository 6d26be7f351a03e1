package bzflag17_test

import (
	"strings"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// namedAdd returns a MsgAddPlayer for a player with this call sign. newID may be empty.
func namedAdd(id, callSign, newID string) timed {
	return bySrv("ap", id+u16(0, 1, 0, 0)+callSign+zeros(160-len(callSign))+newID)
}

// TestCallSigns checks that the session adds the names of players to messages on all connections of a game, from
// MsgAddPlayer to MsgRemovePlayer. A hundred games with the same player ids run at the same time.
func TestCallSigns(t *testing.T) {
	const games = 100
	grab := grabbed(ann, 0, 5)
	killed := byCli("kl", ann+u16(0xffff))
	layer := bzflag17.Protocol.New().(*bzflag17.Layer)
	session := bzflag17.Protocol.NewSession(bounded.NewBudget(bounded.DefaultMemory))
	for _, c := range []struct {
		name string
		port uint16 // port of the server
		way  wire.Transport
		timed
		want, field string // the expected end of the summary, and the expected name in the tree
	}{
		{"no player is known", 6001, wire.TCP, killed, "by 192.0.2.1:6001:0  no shot", ""},
		{"a hello with a port", 5155, wire.TCP, timed{bytes: []byte("BZFS107c" + u16(6001))}, "reconnect to port 6001", ""},
		{"a hello with another port", 5155, wire.TCP, timed{bytes: []byte("BZFS107c" + u16(6002))}, "reconnect to port 6002",
			""},
		{"a player", 6001, wire.TCP, namedAdd(ann, "Ann#", ""), `192.0.2.1:6001:0  "Ann#" Red`, "Ann#"},
		{"a message on the same connection", 6001, wire.TCP, killed, "by 192.0.2.1:6001:0 Ann#  no shot", "Ann#"},
		{"a message on another connection", 6002, wire.TCP, killed, "by 192.0.2.1:6001:0 Ann#  no shot", "Ann#"},
		{"a message over UDP", 5155, wire.UDP, killed, "by 192.0.2.1:6001:0 Ann#  no shot", "Ann#"},
		{"another player", 6002, wire.TCP, byCli("kl", bob+u16(0xffff)), "by 192.0.2.1:6002:0  no shot", ""},
		{"a name with control characters", 6002, wire.TCP, namedAdd(bob, "\x1b[2J #", ""), `"\x1b[2J #" Red`, "\x1b[2J #"},
		{"a summary with that name escaped", 6001, wire.TCP, byCli("kl", bob+u16(0xffff)), `by 192.0.2.1:6002:0 "\x1b[2J #"  no shot`,
			"\x1b[2J #"},
		{"MsgAddPlayer from a client", 6001, wire.TCP, byCli("ap", ann+zeros(8)+"Eve"+zeros(157)), `"Eve" Rogue`, "Ann#"},
		{"a player with a new id", 6002, wire.TCP, namedAdd(eve, "Eve", bob), `now 192.0.2.1:6002:0`, ""},
		{"the player under the new id", 6002, wire.TCP, byCli("kl", bob+u16(0xffff)), "by 192.0.2.1:6002:0 Eve  no shot", "Eve"},
		{"the player under the old id", 6002, wire.TCP, byCli("kl", eve+u16(0xffff)), "  no shot", ""},
		{"a player leaves", 6002, wire.TCP, bySrv("rp", ann), "192.0.2.1:6001:0 Ann#", "Ann#"},
		{"a message after the player has left", 6001, wire.TCP, grab, "192.0.2.1:6001:0  flag 0 High Speed, OnTank", ""},
	} {
		for i := range games {
			server, client := wiretest.Host(11, i, c.port), wiretest.Host(20, i, 4000)
			digit := string(rune('0' + i%10))
			d := &wire.Datagram{Src: server, Dst: client, Payload: []byte(strings.ReplaceAll(string(c.bytes), "#", digit))}
			layer.Context = wire.Context{Direction: wire.FromServer, Transport: c.way}
			if c.toServer {
				d.Src, d.Dst, layer.Context.Direction = client, server, wire.ToServer
			}
			session.Before(layer, d)
			_ = layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback)
			session.After(layer, d)
			want, name := strings.ReplaceAll(c.want, "#", digit), strings.ReplaceAll(c.field, "#", digit)
			if got := string(layer.Body.(wire.Summarizer).AppendSummary(nil)); !strings.HasSuffix(got, want) {
				t.Fatalf("game %d, %s: %q, want %q", i, c.name, got, want)
			}
			if got := nameInTree(layer); got != name {
				t.Fatalf("game %d, %s: the name in the tree is %q, want %q", i, c.name, got, name)
			}
		}
	}
}

// nameInTree returns the name of the first player in the tree of a message.
func nameInTree(l *bzflag17.Layer) string {
	var tree wire.Tree
	l.Annotate(l, &tree)
	for _, n := range tree.Nodes {
		if n.Kind == wire.Address {
			return n.Symbols.Name(0)
		}
	}
	return ""
}

// TestPortUsedAgain checks that the session forgets a client when its connection ends. A new client may use the same
// port.
func TestPortUsedAgain(t *testing.T) {
	layer, session := bzflag17.Protocol.New().(*bzflag17.Layer), bzflag17.Protocol.NewSession(bounded.NewBudget(bounded.DefaultMemory))
	d := &wire.Datagram{Src: wiretest.Host(11, 0, 6001), Dst: wiretest.Host(20, 0, 4000)}
	send := func(m timed, way wire.Direction) bzflag17.Player {
		layer.Context = wire.Context{Direction: way, Transport: wire.TCP}
		d.Payload = m.bytes
		session.Before(layer, d)
		_ = layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback)
		session.After(layer, d)
		return layer.Sender
	}
	send(namedAdd(eve, "Eve", bob), wire.FromServer)
	d.Src, d.Dst = d.Dst, d.Src
	grab := grabbed(ann, 0, 5)
	if before := send(grab, wire.ToServer); before == (bzflag17.Player{}) {
		t.Error("the sender is not known before the end of the connection")
	}
	session.(wire.Closer).Closed(wire.TCP, d.Src, d.Dst)
	if after := send(grab, wire.ToServer); after != (bzflag17.Player{}) {
		t.Errorf("after the end of the connection, the sender is still %v", after)
	}
}
