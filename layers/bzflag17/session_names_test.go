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

// namedAdd returns the message that a player with a call sign is in the game. newID may be empty.
func namedAdd(id, callSign, newID string) said {
	return bySrv("ap", id+u16(0, 1, 0, 0)+callSign+zeros(160-len(callSign))+newID)
}

// TestCallSigns checks that players are shown with their names on all connections of their game, as soon as the names
// are known and only while the players are present. It plays a hundred games at the same time with equal player ids.
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
		said
		want, field string // the expected end of the summary, and the expected name in the tree
	}{
		{"nobody is known", 6001, wire.TCP, killed, "by 192.0.2.1:6001:0  no shot", ""},
		{"a port", 5155, wire.TCP, said{bytes: []byte("BZFS107c" + u16(6001))}, "reconnect to port 6001", ""},
		{"another port", 5155, wire.TCP, said{bytes: []byte("BZFS107c" + u16(6002))}, "reconnect to port 6002", ""},
		{"a player", 6001, wire.TCP, namedAdd(ann, "Ann#", ""), `192.0.2.1:6001:0  "Ann#" Red`, "Ann#"},
		{"on the same connection", 6001, wire.TCP, killed, "by 192.0.2.1:6001:0 Ann#  no shot", "Ann#"},
		{"on another one", 6002, wire.TCP, killed, "by 192.0.2.1:6001:0 Ann#  no shot", "Ann#"},
		{"by UDP", 5155, wire.UDP, killed, "by 192.0.2.1:6001:0 Ann#  no shot", "Ann#"},
		{"somebody else", 6002, wire.TCP, byCli("kl", bob+u16(0xffff)), "by 192.0.2.1:6002:0  no shot", ""},
		{"an evil name", 6002, wire.TCP, namedAdd(bob, "\x1b[2J #", ""), `"\x1b[2J #" Red`, "\x1b[2J #"},
		{"is escaped", 6001, wire.TCP, byCli("kl", bob+u16(0xffff)), `by 192.0.2.1:6002:0 "\x1b[2J #"  no shot`, "\x1b[2J #"},
		{"clients name nobody", 6001, wire.TCP, byCli("ap", ann+zeros(8)+"Eve"+zeros(157)), `"Eve" Rogue`, "Ann#"},
		{"a new id", 6002, wire.TCP, namedAdd(eve, "Eve", bob), `now 192.0.2.1:6002:0`, ""},
		{"has the name", 6002, wire.TCP, byCli("kl", bob+u16(0xffff)), "by 192.0.2.1:6002:0 Eve  no shot", "Eve"},
		{"the old one has not", 6002, wire.TCP, byCli("kl", eve+u16(0xffff)), "  no shot", ""},
		{"who leaves", 6002, wire.TCP, bySrv("rp", ann), "192.0.2.1:6001:0 Ann#", "Ann#"},
		{"is gone", 6001, wire.TCP, grab, "192.0.2.1:6001:0  flag 0 High Speed, OnTank", ""},
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
			want, called := strings.ReplaceAll(c.want, "#", digit), strings.ReplaceAll(c.field, "#", digit)
			if got := string(layer.Body.(wire.Summarizer).AppendSummary(nil)); !strings.HasSuffix(got, want) {
				t.Fatalf("game %d, %s: %q, want %q", i, c.name, got, want)
			}
			if got := calledInTree(layer); got != called {
				t.Fatalf("game %d, %s: the tree calls the player %q, want %q", i, c.name, got, called)
			}
		}
	}
}

// calledInTree returns the name of the first player in the tree of a message.
func calledInTree(l *bzflag17.Layer) string {
	var tree wire.Tree
	l.Annotate(l, &tree)
	for _, n := range tree.Nodes {
		if n.Kind == wire.Address {
			return n.Symbols.Name(0)
		}
	}
	return ""
}

// If a new client uses the port of an earlier client, it is not taken for the earlier one.
func TestPortUsedAgain(t *testing.T) {
	layer, session := bzflag17.Protocol.New().(*bzflag17.Layer), bzflag17.Protocol.NewSession(bounded.NewBudget(bounded.DefaultMemory))
	d := &wire.Datagram{Src: wiretest.Host(11, 0, 6001), Dst: wiretest.Host(20, 0, 4000)}
	say := func(one said, way wire.Direction) bzflag17.Player {
		layer.Context = wire.Context{Direction: way, Transport: wire.TCP}
		d.Payload = one.bytes
		session.Before(layer, d)
		_ = layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback)
		session.After(layer, d)
		return layer.Sender
	}
	say(namedAdd(eve, "Eve", bob), wire.FromServer)
	d.Src, d.Dst = d.Dst, d.Src
	grab := grabbed(ann, 0, 5)
	if before := say(grab, wire.ToServer); before == (bzflag17.Player{}) {
		t.Error("the client is not known")
	}
	session.(wire.Closer).Closed(wire.TCP, d.Src, d.Dst)
	if behind := say(grab, wire.ToServer); behind != (bzflag17.Player{}) {
		t.Errorf("behind the end of the connection it is %v", behind)
	}
}
