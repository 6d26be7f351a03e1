package privacy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/privacy"
)

// login is a message with a password. It is the only message of its layer.
type login struct {
	Name, Password, Chat []byte
	Keys                 []key
}

type key struct{ Letters []byte }

func (l *login) Walk(c *wire.Cursor) {
	wire.Text8(c, "name", &l.Name)
	wire.Text(c, "password", &l.Password, 8)
	c.Begin("said")
	wire.Text8(c, "chat", &l.Chat)
	c.End()
	c.ComputedUint("length", uint64(len(l.Chat)))
	wire.List(c, "keys", &l.Keys, wire.UntilEnd, 1, func(k *key, c *wire.Cursor) { wire.Text8(c, "letters", &k.Letters) })
}

type layer struct{ wire.Base }

var (
	loginType = &wire.MessageType{Name: "Login", Body: wire.Like(login{})}
	messages  = wire.NewMessages(loginType)
)

func (l *layer) Walk(c *wire.Cursor)            { l.Use(c, messages, loginType).Walk(c) }
func (l *layer) LayerType() gopacket.LayerType  { return gopacket.LayerTypePayload }
func (l *layer) CanDecode() gopacket.LayerClass { return gopacket.LayerTypePayload }

func (l *layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

func (l *layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

func protocol(private wire.Privacies) *wire.Protocol {
	return &wire.Protocol{
		Name: "toy", Messages: messages, New: func() wire.Layer { return new(layer) }, Private: private,
		Secret: func(text []byte) (from, to int) {
			if at := strings.Index(string(text), "/pw "); at >= 0 {
				return at + 4, len(text)
			}
			return 0, 0
		},
	}
}

const whole = "\x03Ann" + "secret\x00x" + "\x07/pw key" + "\x01a\x02bc"

func TestEachField(t *testing.T) {
	l := new(layer)
	if err := l.DecodeFromBytes([]byte(whole), gopacket.NilDecodeFeedback); err != nil {
		t.Fatal(err)
	}
	var tree wire.Tree
	l.Annotate(l, &tree)
	var got []string
	privacy.EachField(&tree, func(path string, n *wire.Node) { got = append(got, fmt.Sprint(path, " ", n.Off, " ", n.Size)) })
	want := []string{"name 0 4", "password 4 8", "said.chat 12 8", "keys.letters 20 2", "keys.letters 22 3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// infoLayer has a message with pairs.
type infoLayer struct{ layer }

type info struct{ Pairs []wire.Pair }

func (i *info) Walk(c *wire.Cursor) {
	wire.Pairs(c, "info", &i.Pairs, `\`, "\n")
	wire.Until(c, "end", new([]byte), "\n")
}

var (
	infoType     = &wire.MessageType{Name: "Info", Body: wire.Like(info{})}
	infoMessages = wire.NewMessages(infoType)
)

func (l *infoLayer) Walk(c *wire.Cursor) { l.Use(c, infoMessages, infoType).Walk(c) }

func (l *infoLayer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

// The values of listed keys are secret. A text that may be such a value is also masked.
func TestMaskPairs(t *testing.T) {
	secret := wire.Privacies{"info.password": wire.PrivateSecret}
	for _, c := range []struct {
		private wire.Privacies
		data    string
		want    string
	}{
		{secret, `\key\k\password\xyz\password\pass` + "\n", `\key\k\password\***\password\****` + "\n"},
		{secret, `\key\k` + "\n", `\key\k` + "\n"},
		{secret, `xyz`, `***`},
		{wire.Privacies{"password": wire.PrivateSecret}, `xyz`, `***`},
		{wire.Privacies{"info.password": wire.PrivateChat}, `xyz`, `xyz`},
	} {
		l := new(infoLayer)
		_ = l.DecodeFromBytes([]byte(c.data), gopacket.NilDecodeFeedback)
		p := &wire.Protocol{Name: "toy", Messages: infoMessages, New: func() wire.Layer { return new(infoLayer) }, Private: c.private}
		masked := privacy.Mask(l, p, new(wire.Tree))
		if got := string(l.Contents); got != c.want || masked != (c.want != c.data) {
			t.Errorf("%v: %t, %q, want %q", c.private, masked, got, c.want)
		}
	}
}

// The bytes of secrets become asterisks, except NULs. Lengths, other fields and the original data do not change.
func TestMask(t *testing.T) {
	secret := wire.Privacies{"password": wire.PrivateSecret, "chat": wire.PrivateChat}
	for _, c := range []struct {
		name    string
		private wire.Privacies
		data    string
		want    string // "" if nothing is masked
	}{
		{"a password, and a text with one", secret, whole, "\x03Ann******\x00x\x07/pw ***\x01a\x02bc"},
		{"a text without one", secret, "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02/p", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02/p"},
		{"a counted secret", wire.Privacies{"name": wire.PrivateSecret}, whole, strings.Replace(whole, "Ann", "***", 1)},
		{"a message that is too short, where any text may be the secret", secret, "\x03Ann" + "secr", "\x03*******"},
		{"a message that is too short, without secrets", wire.Privacies{}, "\x03Ann" + "secr", ""},
		{"a message that is too short, with a secret in its rest", wire.Privacies{}, "\x03Ann/pw s", "\x03Ann/pw *"},
		{"nothing is secret", wire.Privacies{"said": wire.PrivateName}, whole, ""},
	} {
		l := new(layer)
		data := []byte(c.data)
		_ = l.DecodeFromBytes(data, gopacket.NilDecodeFeedback)
		var tree wire.Tree
		masked := privacy.Mask(l, protocol(c.private), &tree)
		want := c.want
		if !masked {
			want = c.data
		}
		if got := string(l.Contents); got != want || masked != (c.want != "") || string(data) != c.data {
			t.Errorf("%s: %t, %q, want %q", c.name, masked, got, c.want)
		}
	}
}

// carrier contains a Login with its bytes in reverse order.
type carrier struct {
	layer
	Data []byte
}

var (
	packedType      = &wire.MessageType{Name: "Packed", Body: wire.Like(info{})}
	insideType      = &wire.MessageType{Name: "Login", Body: wire.Like(login{})}
	carrierMessages = wire.NewMessages(packedType, insideType)
)

func (l *carrier) Walk(c *wire.Cursor) {
	l.Use(c, carrierMessages, packedType)
	wire.Rest(c, "data", &l.Data)
	c.Inside(reversed(l.Data), func(c *wire.Cursor) { l.Use(c, carrierMessages, insideType).Walk(c) })
}

func (l *carrier) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

func reversed(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

// If an inner message has a secret, the whole inner message is masked and not shown, since its parts may be in other
// packets.
func TestMaskInside(t *testing.T) {
	for _, private := range []wire.Privacies{{"password": wire.PrivateSecret}, {"said.chat": wire.PrivateChat}, {}} {
		p := protocol(private)
		p.Messages, p.New = carrierMessages, func() wire.Layer { return new(carrier) }
		l := new(carrier)
		data := reversed([]byte(whole))
		if err := l.DecodeFromBytes(data, gopacket.NilDecodeFeedback); err != nil || l.Message != insideType {
			t.Fatal(l.Message, err)
		}
		var tree wire.Tree
		masked := privacy.Mask(l, p, &tree)
		l.Annotate(l, &tree)
		sealed := l.Message == packedType && strings.Trim(string(l.Contents), "*\x00") == "" && len(tree.Nodes) == 1
		if secret := len(private) > 0; masked != secret || sealed != secret {
			t.Errorf("%v: masked %t, %s with %d fields: %q", private, masked, l.Message.Name, len(tree.Nodes), l.Contents)
		}
	}
}

// halves is a message in two parts.
type halves struct {
	carrier
	wire.State[wire.Parts]
	Number uint8
}

func (l *halves) Walk(c *wire.Cursor) {
	l.Use(c, carrierMessages, packedType)
	wire.U8(c, "number", &l.Number)
	wire.Rest(c, "data", &l.Data)
	var joined []byte
	l.After, joined = l.Before.Join(c, 0, int(l.Number), 2, l.Data)
	c.Inside(joined, func(c *wire.Cursor) { l.Use(c, carrierMessages, insideType).Walk(c) })
}

func (l *halves) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

// The first part is masked, because the second is not yet known. The last part is masked if the message has a secret.
func TestMaskParts(t *testing.T) {
	for _, private := range []wire.Privacies{{"password": wire.PrivateSecret}, {"said.chat": wire.PrivateChat}, {}} {
		p := protocol(private)
		p.Messages, p.New = carrierMessages, func() wire.Layer { return new(halves) }
		l := new(halves)
		for _, data := range []string{"\x00" + whole[:8], "\x01" + whole[8:]} {
			if err := l.DecodeFromBytes([]byte(data), gopacket.NilDecodeFeedback); err != nil {
				t.Fatal(err)
			}
			after := l.After
			masked := privacy.Mask(l, p, new(wire.Tree))
			l.Before = after
			secret := len(private) > 0
			if hidden := strings.Trim(string(l.Contents[1:]), "*\x00") == ""; masked != secret || hidden != secret {
				t.Errorf("%v: masked %t: %q", private, masked, l.Contents)
			}
		}
	}
}
