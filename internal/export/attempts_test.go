package export_test

import (
	"bytes"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/export"
)

// TestAttempts checks that an attempt that is over has a row with its steps, and that another attempt has none.
func TestAttempts(t *testing.T) {
	disk := make(memory)
	e := export.New(export.Options{Create: disk.create})
	kind := &wire.AttemptKind{Name: "joins", Steps: []wire.AttemptStep{{Name: "hello"}, {Name: "entered"}, {Name: "accepted"}}}
	a := &wire.Attempt{
		Place: wire.Place{File: "a.pcap", Frame: 9, Time: int64(5 * time.Second), Protocol: &wire.Protocol{Name: "x"}}, Kind: kind,
		Asker: netip.MustParseAddrPort("10.0.0.1:5000"), Asked: netip.MustParseAddrPort("10.0.0.2:5154"), Who: "0 ana",
		Outcome: wire.Refused, By: wire.Asked, Step: 1, Tries: 2, Cause: "full", Took: 3 * time.Second,
	}
	a.Steps[0] = wire.StepReached{Frame: 3}
	a.Steps[1] = wire.StepReached{Frame: 6, After: time.Second}
	e.Attempt(a)
	a.Over = true
	e.Attempt(a)
	a.Steps, a.Outcome, a.By, a.Cause = [wire.MaxSteps]wire.StepReached{}, wire.NotKnown, wire.Neither, ""
	e.Attempt(a)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	type step struct {
		Name  string `parquet:"name"`
		Time  int64  `parquet:"time"`
		Frame int64  `parquet:"frame"`
	}
	type row struct {
		File       string  `parquet:"file"`
		Frame      int64   `parquet:"frame"`
		Time       int64   `parquet:"time"`
		Protocol   string  `parquet:"protocol"`
		Kind       string  `parquet:"kind"`
		Outcome    string  `parquet:"outcome"`
		Failed     bool    `parquet:"failed"`
		Cause      *string `parquet:"cause,optional"`
		By         *string `parquet:"by,optional"`
		Asker      string  `parquet:"asker"`
		Asked      string  `parquet:"asked"`
		Who        string  `parquet:"who"`
		Tries      int32   `parquet:"tries"`
		Took       float64 `parquet:"took"`
		FirstFrame int64   `parquet:"first_frame"`
		Steps      []step  `parquet:"steps,list"`
	}
	f := disk["attempts.parquet"]
	rows, err := parquet.Read[row](bytes.NewReader(f.Bytes()), int64(f.Len()))
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	got := rows[0]
	if got.File != "a.pcap" || got.Frame != 9 || got.Time != int64(5*time.Second) || got.Protocol != "x" || got.Kind != "joins" ||
		got.Outcome != "refused" || !got.Failed || *got.Cause != "full" || *got.By != "asked" || got.Asker != "10.0.0.1:5000" ||
		got.Asked != "10.0.0.2:5154" || got.Who != "0 ana" || got.Tries != 2 || got.Took != 3 || got.FirstFrame != 3 {
		t.Errorf("%+v", got)
	}
	if want := []step{{"hello", int64(2 * time.Second), 3}, {"entered", int64(3 * time.Second), 6}}; !slices.Equal(got.Steps, want) {
		t.Errorf("steps %v, want %v", got.Steps, want)
	}
	if got = rows[1]; got.Outcome != "not_known" || got.Failed || got.Cause != nil || got.By != nil || len(got.Steps) > 0 ||
		got.FirstFrame != 9 {
		t.Errorf("%+v", got)
	}
}
