package wiretest

import (
	"strings"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// grown is a layer in which numbers have a variable size after a message with the code 'i'.
type grown struct {
	toyLayer
	Number uint16
	Large  uint32
}

func (l *grown) Walk(c *wire.Cursor) {
	l.Use(c, toyList, toyElse)
	wire.U8(c, "code", &l.Code)
	switch {
	case l.Code == 'i':
		l.After = 1
		c.Limit(1)
	case l.Before == 0:
		wire.U16(c, "number", &l.Number)
	default:
		wire.Uvarint(c, "large", &l.Large)
	}
}

func (l *grown) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

func (l *grown) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

// When checkSettles reads a written message again, it uses the state from the same earlier messages.
func TestSettlesWithState(t *testing.T) {
	p := toy(none)
	p.New, p.NewSession = func() wire.Layer { return new(grown) }, wire.NewStates[uint8]
	var c complaints
	if checkAny(&c, p, samplesOf(t, "69 78 80 00")[0]); len(c) > 0 {
		t.Errorf("%q", c)
	}
}

// If the stated findings are right but in the wrong order, the error says so.
func TestOrderOfBreaks(t *testing.T) {
	var c complaints
	checkBreaks(&c, toy(none), samplesOf(t, "breaks: toy.empty warning 6\nbreaks: toy.empty warning 2\n04 68 00 00 04 68 00 00")[0])
	if len(c) != 1 || !strings.Contains(c[0], "not in the order") {
		t.Errorf("%q", c)
	}
}
