package cli

import (
	"path/filepath"
	"runtime"
	"testing"
	"weak"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/layers"
)

// lastSink looks whether the engine, or a message, is still there when it is told that nothing more comes.
type lastSink struct {
	engine weak.Pointer[decode.Engine]
	last   weak.Pointer[decode.Message]
	told   bool
	there  bool
}

func (s *lastSink) Message(m *decode.Message)  { s.last = weak.Make(m) }
func (*lastSink) Finding(*wire.TrafficFinding) {}

func (s *lastSink) End(decode.Counters) error {
	s.told, s.there = true, s.engine.Value() != nil || s.last.Value() != nil
	return nil
}

// Where much is in use, an engine is gone when statistics are written: both at once would be too much.
func TestEngineMakesRoom(t *testing.T) {
	r := session.NewRun(decode.Options{}, session.OpenGate(new(session.Display)))
	s := new(lastSink)
	r.Add(s)
	r.Engine = decode.New(r.Options)
	s.engine = weak.Make(r.Engine)
	much := make([]byte, 2*session.LeastGarbage)
	runtime.GC()
	if err := r.End(); err != nil || !s.told || s.there {
		t.Errorf("the sink was told: %t, the engine was there: %t, error %v", s.told, s.there, err)
	}
	runtime.KeepAlive(much)
}

// A display knows the message at hand, and with it all that the engine remembered: neither is there at the end.
func TestDisplayMakesRoom(t *testing.T) {
	f, err := capture.Open(filepath.Join(clitest.Captures, "bz24-admin.pcap"))
	clitest.NoError(t, err)
	defer f.Close()
	schema := session.NewSchema()
	d, err := session.NewDisplay(schema, "copy or bzflag24")
	clitest.NoError(t, err)
	r := session.NewRun(decode.Options{Protocols: layers.All()}, session.OpenGate(d))
	measured, err := tally.NewIntervals(&tally.IoOptions{Interval: 1, Measures: []string{"count(bzflag24.message.from)"}}, r.Clock, d, schema)
	clitest.NoError(t, err)
	s := new(lastSink)
	r.Add(measured)
	r.Add(s)
	much := make([]byte, 2*session.LeastGarbage)
	runtime.GC()
	if err := r.Over(&clitest.Replayed{Files: []*capture.File{f}}, new(session.Interrupt)); err != nil || !s.told || s.there {
		t.Errorf("the sink was told: %t, the last message was there: %t, error %v", s.told, s.there, err)
	}
	runtime.KeepAlive(much)
}
