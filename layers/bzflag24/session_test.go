package bzflag24_test

import (
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// talk passes messages to a session as the engine does.
type talk struct {
	t       *testing.T
	layer   *bzflag24.Layer
	session wire.Session
}

var (
	client   = netip.MustParseAddrPort("192.0.2.1:40000")
	other    = netip.MustParseAddrPort("192.0.2.1:40001")
	stranger = netip.MustParseAddrPort("192.0.2.3:40000")
	server   = netip.MustParseAddrPort("192.0.2.2:5154")
)

func newTalk(t *testing.T) *talk {
	return &talk{t, bzflag24.Protocol.New().(*bzflag24.Layer), bzflag24.Protocol.NewSession(nil)}
}

// says passes a message to the session. It returns the message's summary and the rules that the message breaks.
func (k *talk) says(from, to netip.AddrPort, carried wire.Transport, message string) (string, []string) {
	k.t.Helper()
	d := &wire.Datagram{Src: from, Dst: to, Payload: []byte(message)}
	k.layer.Context = wire.Context{Direction: wire.ToServer, Transport: carried}
	if from == server {
		k.layer.Context.Direction = wire.FromServer
	}
	k.session.Before(k.layer, d)
	_ = k.layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback)
	k.session.After(k.layer, d)
	var rules []string
	for _, f := range k.layer.Findings() {
		rules = append(rules, strings.TrimPrefix(f.Rule.ID, "bzflag24."))
	}
	return string(k.layer.AppendSummary(nil)), rules
}

// message returns a body with its header.
func message(code, body string) string {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(body)))
	return string(b) + code + body
}

func addPlayer(id byte, callSign string) string {
	return message("ap", string([]byte{id})+strings.Repeat("\x00", 10)+callSign+strings.Repeat("\x00", 160-len(callSign)))
}

// TestCallSigns checks that players are shown with their names as soon as the names are known, and only while the
// players are present.
func TestCallSigns(t *testing.T) {
	k := newTalk(t)
	grab := message("gf", "\x00\x05")
	for _, c := range []struct {
		name     string
		from, to netip.AddrPort
		carried  wire.Transport
		message  string
		want     string
	}{
		{"before the hello", client, server, wire.TCP, grab, "flag 5"},
		{"a request to join", client, server, wire.TCP, message("en", "\x00\x00\x00\x00Eve"+strings.Repeat("\x00", 240)), `"Eve" Rogue  ""`},
		{"the hello", server, client, wire.TCP, "BZFS0221\x03", `"BZFS0221"  player 3`},
		{"a message after the hello", client, server, wire.TCP, grab, "3  flag 5"},
		{"another request to join", client, server, wire.TCP, message("en", "\x00\x00\x00\x00Al"+strings.Repeat("\x00", 241)), `3  "Al" Rogue  ""`},
		{"the requested name is not accepted yet", client, server, wire.TCP, grab, "3  flag 5"},
		{"the server accepts the client", server, client, wire.TCP, message("ac", "\x03"), "3"},
		{"the accepted name", client, server, wire.TCP, grab, "3 Al  flag 5"},
		{"an announcement with another name", server, client, wire.TCP, addPlayer(3, "Alice"), `3  "Alice" Rogue`},
		{"the announced name", client, server, wire.TCP, grab, "3 Alice  flag 5"},
		{"the removal, in a message to another client", server, other, wire.TCP, message("rp", "\x03"), "3 Alice"},
		{"no name after the removal", server, client, wire.TCP, message("nR", "\x03"), "3"},
		{"another player with the same number", server, client, wire.TCP, addPlayer(3, "B\x1b[1mb"), `3  "B\x1b[1mb" Rogue`},
		{"by UDP from the same port", client, server, wire.UDP, message("se", "\x04\x00\x01\x00\x00"), `3 B\x1b[1mb  4  shot 1 HitObstacle`},
		{"by UDP from another port", other, server, wire.UDP, message("se", "\x04\x00\x01\x00\x00"), "4  shot 1 HitObstacle"},
		{"a link request", other, server, wire.UDP, message("of", "\x03"), `3 B\x1b[1mb`},
		{"after the link request", other, server, wire.UDP, message("se", "\x04\x00\x01\x00\x00"), `3 B\x1b[1mb  4  shot 1 HitObstacle`},
		{"an observer of a replay", server, client, wire.TCP, addPlayer(200, "Eve"), `200  "Eve" Rogue`},
		{"a replay begins again", server, client, wire.TCP, message("rr", "\xc8"), "players up to 200"},
		{"the players of the replay have no names", server, client, wire.TCP, message("nR", "\x03"), "3"},
		{"the observer keeps the name", server, client, wire.TCP, message("nR", "\xc8"), "200 Eve"},
		{"chat to all", client, server, wire.TCP, message("mg", "\xfehi"+strings.Repeat("\x00", 126)), `3  to all  "hi"`},
		{"another client gets the number", server, other, wire.TCP, "BZFS0221\x03", `"BZFS0221"  player 3`},
		{"the other client has no name yet", other, server, wire.TCP, grab, "3  flag 5"},
		{"a name with spaces", server, other, wire.TCP, addPlayer(3, "X to all"), `3  "X to all" Rogue`},
		{"such a name is in quotes", other, server, wire.TCP, grab, `3 "X to all"  flag 5`},
		{"a link request from another host", stranger, server, wire.UDP, message("of", "\x03"), `3 "X to all"`},
		{"the other host is not that player", stranger, server, wire.UDP, message("se", "\x04\x00\x01\x00\x00"), "4  shot 1 HitObstacle"},
		{"no room", server, client, wire.TCP, "BZFS0221\xff", `"BZFS0221"  no room`},
		{"a client without a number", client, server, wire.TCP, grab, "flag 5"},
	} {
		if got, _ := k.says(c.from, c.to, c.carried, c.message); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestOlder passes messages of 1.10 and 2.0 servers to a session. Messages with the layout of 2.4 are decoded, and
// other messages are shown as bytes. None breaks a rule.
func TestOlder(t *testing.T) {
	k := newTalk(t)
	if _, rules := k.says(server, client, wire.TCP, "BZFS0026\x03"); len(rules) != 1 || rules[0] != "version" {
		t.Errorf("the hello breaks the rules %v", rules)
	}
	for _, c := range []struct{ name, message, want string }{
		{"a chat line without a type", message("mg", "\x03\xfehi\x00"), `3 to all  "hi"`},
		{"a short MsgTimeUpdate", message("to", "\x00\x10"), ""},
		{"a spawn", message("al", "\x03"+strings.Repeat("\x00", 16)), "3  at (0.0, 0.0, 0.0)"},
		{"a death of 1.10", message("kl", "\x01\x02\x00\x00\x00\x00"), ""},
		{"a code that 2.4 no longer has", message("ar", "\x01"), "ar"},
	} {
		got, rules := k.says(server, client, wire.TCP, c.message)
		if got != c.want || len(rules) > 0 {
			t.Errorf("%s: %q, broken rules %v, want %q and no broken rules", c.name, got, rules, c.want)
		}
		if got == "" && len(k.layer.Trailing) != int(k.layer.Length) {
			t.Errorf("%s: %d bytes are shown", c.name, len(k.layer.Trailing))
		}
	}
	newer := newTalk(t)
	newer.says(server, client, wire.TCP, "BZFS0221\x03")
	if _, rules := newer.says(server, client, wire.TCP, message("to", "\x00\x10")); len(rules) == 0 {
		t.Error("a short MsgTimeUpdate breaks no rule of 2.4")
	}
}

// smallWorld returns the smallest world database.
func smallWorld(t *testing.T) string {
	list, err := wiretest.Samples(samples + "/worlds")
	if err != nil {
		t.Fatal(err)
	}
	return string(slices.MinFunc(list, func(a, b *wiretest.Sample) int { return len(a.Data) - len(b.Data) }).Data)
}

// TestDownload joins the parts of a world's download.
func TestDownload(t *testing.T) {
	world := smallWorld(t)
	sum := md5.Sum([]byte(world))
	hash := "p" + hex.EncodeToString(sum[:]) + "\x00"
	part := func(left int, data string) string {
		return message("gw", string(binary.BigEndian.AppendUint32(nil, uint32(left)))+data)
	}
	ask := func(offset int) string {
		return message("gw", string(binary.BigEndian.AppendUint32(nil, uint32(offset))))
	}
	const half = 20
	for _, c := range []struct {
		name, hash string
		parts      []string // requests and answers alternate
		rules      string
		whole      bool
	}{
		{"two parts", hash, []string{ask(0), part(len(world), world[:half]), ask(half), part(0, world[half:])}, "", true},
		{"one part", hash, []string{ask(0), part(0, world)}, "", true},
		{"another world", "t" + strings.Repeat("0", 32) + "\x00", []string{ask(0), part(0, world)}, "world-hash", true},
		{"no hash", "", []string{ask(0), part(0, world)}, "", true},
		{"only half the world", "", []string{ask(0), part(0, world[:half])}, "world-structure", true},
		{"a gap between the parts", hash, []string{ask(0), part(len(world), world[:half-2]), ask(half), part(0, world[half:])}, "", false},
		{"restarted", hash, []string{ask(0), part(len(world), world[:half]), ask(0), part(0, world)}, "", true},
		{"a request at the end", hash, []string{ask(len(world)), part(0, "")}, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newTalk(t)
			k.says(server, client, wire.TCP, "BZFS0221\x03")
			if c.hash != "" {
				k.says(server, client, wire.TCP, message("wh", c.hash))
			}
			var rules []string
			for i, m := range c.parts {
				if i%2 == 0 {
					k.says(client, server, wire.TCP, m)
					continue
				}
				_, rules = k.says(server, client, wire.TCP, m)
			}
			if strings.Join(rules, " ") != c.rules || (k.layer.World != nil) != c.whole {
				t.Errorf("broken rules %v, complete world: %t", rules, k.layer.World != nil)
			}
		})
	}
}

// TestCutDownload plays a part that the snap length cut. The world stays incomplete, but no rule is broken.
func TestCutDownload(t *testing.T) {
	k := newTalk(t)
	world := smallWorld(t)
	k.says(client, server, wire.TCP, message("gw", "\x00\x00\x00\x00"))
	part := message("gw", "\x00\x00\x00\x00"+world)
	const missing = 5
	d := &wire.Datagram{Src: server, Dst: client, Payload: []byte(part[:len(part)-missing]), Missing: missing}
	k.layer.Context = wire.Context{Direction: wire.FromServer, Transport: wire.TCP, Missing: missing}
	_ = k.layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback)
	k.session.After(k.layer, d)
	if k.layer.World != nil || len(k.layer.Findings()) > 0 {
		t.Errorf("complete world: %t, broken rules %v", k.layer.World != nil, k.layer.Findings())
	}
}

// If a new client uses the port of an earlier client, messages from the new client are not attributed to the earlier
// one, even if the capture lacks the first of these messages.
func TestPortUsedAgain(t *testing.T) {
	k := newTalk(t)
	k.says(server, client, wire.TCP, "BZFS0221\x03")
	const grab = "flag 5"
	if got, _ := k.says(client, server, wire.TCP, message("gf", "\x00\x05")); got != "3  "+grab {
		t.Errorf("%q", got)
	}
	k.session.(wire.Closer).Closed(wire.TCP, server, client)
	if got, _ := k.says(client, server, wire.TCP, message("gf", "\x00\x05")); got != grab {
		t.Errorf("%q after the end of the connection", got)
	}
}
