package stats

import (
	"encoding/json"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// The text of a subject identifies it, whatever players call themselves.
func TestSubjectText(t *testing.T) {
	server := netip.MustParseAddrPort("10.0.0.1:5154")
	for text, s := range map[string]RowKey{
		"10.0.0.1:5154":                   {Server: server},
		"10.0.0.1:5154 3 Alice":           {Server: server, Who: "3 Alice"},
		"10.0.0.1:5154 others":            {Server: server, Who: "others"},
		"10.0.0.1:5154 10.0.0.1:5154":     {Server: server, Who: "10.0.0.1:5154"},
		"10.0.0.1:5154  ":                 {Server: server, Who: " "},
		`10.0.0.1:5154 "\"others\""`:      {Server: server, Who: `"others"`},
		`10.0.0.1:5154 "\xff\xfe \\"`:     {Server: server, Who: "\xff\xfe \\"},
		"[::1]:5 x":                       {Server: netip.MustParseAddrPort("[::1]:5"), Who: "x"},
		"[::ffff:1.2.3.4]:5":              {Server: netip.MustParseAddrPort("[::ffff:1.2.3.4]:5")},
		`10.0.0.1:5154 "3 Alice" "4 Bob"`: {server, "3 Alice", "4 Bob"},
		`10.0.0.1:5154 "" "\" \""`:        {Server: server, Whom: `" "`},
		`"a" "b"`:                         {Who: "a", Whom: "b"},
		"others":                          {},
		`"others"`:                        {Who: "others"},
		`"10.0.0.1:5154 3 Alice"`:         {Who: "10.0.0.1:5154 3 Alice"},
		`"10.0.0.1:5154"`:                 {Who: "10.0.0.1:5154"},
		"3 Alice":                         {Who: "3 Alice"},
		" 10.0.0.1:5154":                  {Who: " 10.0.0.1:5154"},
		" ":                               {Who: " "},
		"others and more":                 {Who: "others and more"},
		"Bonjour, je m'appelle \"Renée\"": {Who: "Bonjour, je m'appelle \"Renée\""},
	} {
		got, err := s.MarshalText()
		var back RowKey
		if back2 := back.UnmarshalText([]byte(text)); string(got) != text || err != nil || back2 != nil || back != s {
			t.Errorf("%#v is written as %q, want %q, which is read as %#v, %v", s, got, text, back, back2)
		}
	}
	for _, text := range []string{"", `""`, `"a"`, `"`, `"others" `, "10.0.0.1:5154 ", `10.0.0.1:5154 "a"`, "[::1%e]:5 \"",
		"[0::1]:5", "10.0.0.1:05154", `10.0.0.1:5154 "a" ""`, `"a""b"`, `"a" "b" "c"`, `"a" b`, `"\x61"`, "\xff"} {
		if err := new(RowKey).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is accepted as a subject", text)
		}
	}
}

// checkSubject checks that a subject can be written as a key in JSON and read again.
func checkSubject(t *testing.T, s RowKey) {
	t.Helper()
	text, err := json.Marshal(map[RowKey]int{s: 1})
	if err != nil {
		t.Fatal(err)
	}
	var back map[RowKey]int
	if err := json.Unmarshal(text, &back); err != nil || back[s] != 1 {
		t.Errorf("%#v is written as %s, which is read as %#v, %v", s, text, back, err)
	}
}

func TestAnySubjectText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"others", "10.0.0.1:5154", "[::1]:1", " ", `"`, `\`, "\xff", "é", "a", "\x00", "\n", "<", "\u2028", ":"}
	servers := []netip.AddrPort{{}, netip.MustParseAddrPort("10.0.0.1:5154"), netip.MustParseAddrPort("[2001:db8::1]:0")}
	for range 20_000 {
		var names [2]strings.Builder
		for i := range names {
			for range r.IntN(5) {
				names[i].WriteString(pieces[r.IntN(len(pieces))])
			}
		}
		checkSubject(t, RowKey{servers[r.IntN(len(servers))], names[0].String(), names[1].String()})
	}
}

func FuzzSubjectText(f *testing.F) {
	f.Add("10.0.0.1:5154 3 Alice", "", []byte{10, 0, 0, 1}, uint16(5154))
	f.Add(`10.0.0.1:5154 "3 Alice" "4 Bob"`, "4 Bob", []byte{10, 0, 0, 1}, uint16(5154))
	f.Add(`"others"`, "others", []byte{}, uint16(0))
	f.Fuzz(func(t *testing.T, text, whom string, host []byte, port uint16) {
		s := RowKey{Who: text, Whom: whom}
		if a, ok := netip.AddrFromSlice(host); ok {
			s.Server = netip.AddrPortFrom(a, port)
		}
		checkSubject(t, s)
		if s.UnmarshalText([]byte(text)) == nil && s.Server.Addr().Zone() == "" {
			if again, _ := s.MarshalText(); string(again) != text {
				t.Errorf("%q is read as %#v, which is written as %q", text, s, again)
			}
		}
	})
}

// Conversations have a Community ID in JSON, even if they were read from JSON. The row of the others has none.
func TestCommunityIDs(t *testing.T) {
	s := Stats{Memory: 4_000}
	for i := range 100 {
		s.Message(&decode.Message{Name: "Move", Place: wire.Place{Protocol: chess, Src: stranger(i), Dst: netip.MustParseAddrPort("192.0.2.1:53")}})
	}
	read := new(Stats)
	again(t, &s, read)
	for _, text := range []string{text(t, &s), text(t, read)} {
		var all struct {
			Conversations map[string]struct {
				CommunityID string `json:"community_id"`
			}
		}
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			t.Fatal(err)
		}
		if len(all.Conversations) < 2 || len(all.Conversations) != len(s.Conversations) {
			t.Errorf("%d conversations, want %d", len(all.Conversations), len(s.Conversations))
		}
		for key := range s.Conversations {
			name, _ := key.MarshalText()
			place := wire.Place{Transport: key.Transport, Src: key.B, Dst: key.A}
			if got, want := all.Conversations[string(name)].CommunityID, string(place.AppendCommunityID(nil)); got != want || (got == "") != (key == ConversationKey{}) {
				t.Errorf("%s has %q, want %q", name, got, want)
			}
		}
	}
}

// A sender is read only from the exact text that MarshalText returns.
func TestSenderText(t *testing.T) {
	for text, s := range map[string]Sender{
		"others":                     {},
		"go.ko":                      {Rule: "go.ko"},
		"10.0.0.1:5154 go.ko":        {"go.ko", netip.MustParseAddrPort("10.0.0.1:5154")},
		"[::ffff:1.2.3.4]:5 a b":     {"a b", netip.MustParseAddrPort("[::ffff:1.2.3.4]:5")},
		"10.0.0.1:5 10.0.0.2:6 rule": {"10.0.0.2:6 rule", netip.MustParseAddrPort("10.0.0.1:5")},
	} {
		var again Sender
		if got, _ := s.MarshalText(); string(got) != text || again.UnmarshalText(got) != nil || again != s {
			t.Errorf("%v is written as %q, which is read as %v", s, got, again)
		}
	}
	for _, text := range []string{"", " ", "a b", "10.0.0.1:5154 ", "[0::1]:5 go.ko", "10.0.0.1:05154 go.ko", " go.ko"} {
		if err := new(Sender).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is accepted as a sender", text)
		}
	}
}
