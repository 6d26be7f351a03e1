package bzflag

import (
	"math"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func TestSummaries(t *testing.T) {
	nan := float32(math.NaN())
	status := wire.Symbols{{Value: 1, Name: "Alive"}, {Value: 2, Name: "Paused"}}
	for _, c := range []struct{ got, want string }{
		{string(AppendAt(nil, &[3]float32{1, -2.25, 1e6})), "at (1.0, -2.2, 1000000.0)"},
		{string(AppendAt(nil, &[3]float32{nan, 0, float32(math.Inf(-1))})), "at (NaN, 0.0, -Infinity)"},
		{string(AppendSymbol(nil, status, 2)), "Paused"},
		{string(AppendSymbol(nil, status, 4)), "4"},
		{string(AppendStatus(nil, status, 0)), "Dead "},
		{string(AppendStatus(nil, status, 3)), "Alive Paused "},
		{string(AppendStatus(nil, status, 6)), "Paused "},
		{string(AppendShot(nil, NoShot)), "no shot"},
		{string(AppendShot(nil, 258)), "shot 258"},
		{string(AppendScore(nil, 1, 65535)), "wins 1, losses 65535"},
		{string((&LagPing{Sequence: 9}).AppendSummary(nil)), "seq 9"},
		{string((&FlagRequest{Number: 9}).AppendSummary(nil)), "flag 9"},
		{string((&PlayerCounts{Teams: 6, Players: 1}).AppendSummary(nil)), "teams 6, players 1"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestShotNumbers(t *testing.T) {
	if slot, salt := ShotSlot(0x0102), ShotSalt(0x0102); slot != 2 || salt != 1 {
		t.Errorf("slot %d, salt %d", slot, salt)
	}
}

func TestPingStep(t *testing.T) {
	for _, c := range []struct {
		from, to uint16
		want     int
	}{{0, 0, 0}, {0, 1, 1}, {9999, 0, 1}, {1, 0, 9999}, {10000, 1, 1}, {65535, 5536, 1}, {5, 65535, 5530}} {
		if got := PingStep(c.from, c.to); got != c.want {
			t.Errorf("from %d to %d: %d, want %d", c.from, c.to, got, c.want)
		}
	}
}

// valueWalker walks numbers that may be NaN or infinite.
type valueWalker struct {
	wire.Base
	vector [3]float32
	number float32
	kind   uint8
}

var (
	ruleNumber = &wire.Rule{ID: "number"}
	ruleEnum   = &wire.Rule{ID: "enum"}
)

func (w *valueWalker) Walk(c *wire.Cursor) {
	Vector(c, "vector", &w.vector, ruleNumber)
	Float(c, "number", &w.number, ruleNumber)
	wire.U8(c, "kind", &w.kind)
	CheckEnum(c, ruleEnum, wire.Names("A", "B"), "kind", int64(w.kind))
}

func TestInvalidValues(t *testing.T) {
	const zero, nan, inf = "\x00\x00\x00\x00", "\x7f\xc0\x00\x00", "\xff\x80\x00\x00"
	for data, want := range map[string]string{
		zero + zero + zero + zero + "\x00": "",
		zero + zero + zero + zero + "\x01": "",
		zero + zero + zero + zero + "\x02": "kind 2 is not defined",
		nan + zero + zero + zero + "\x00":  "vector is (NaN, 0, 0)",
		zero + inf + zero + zero + "\x00":  "vector is (0, -Infinity, 0)",
		zero + zero + nan + zero + "\x00":  "vector is (0, 0, NaN)",
		zero + zero + zero + nan + "\x00":  "number is NaN",
	} {
		var w valueWalker
		if err := w.Decode(&w, []byte(data), gopacket.NilDecodeFeedback); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range w.Findings() {
			got += f.Text
		}
		if got != want {
			t.Errorf("%q: %q, want %q", data, got, want)
		}
	}
}
