package main

import (
	"path/filepath"
	"runtime"
	"testing"
	"weak"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// lastSink looks whether the engine, or a message, is still there when it is told that nothing more comes.
type lastSink struct {
	engine weak.Pointer[decode.Engine]
	last   weak.Pointer[decode.Message]
	told   bool
	there  bool
}

func (s *lastSink) message(m *decode.Message)  { s.last = weak.Make(m) }
func (*lastSink) finding(*wire.TrafficFinding) {}

func (s *lastSink) end(decode.Counters) error {
	s.told, s.there = true, s.engine.Value() != nil || s.last.Value() != nil
	return nil
}

// Where much is in use, an engine is gone when statistics are written: both at once would be too much.
func TestEngineMakesRoom(t *testing.T) {
	r := newRun(decode.Options{}, openGate(new(display)))
	s := new(lastSink)
	r.add(s)
	r.engine = decode.New(r.options)
	s.engine = weak.Make(r.engine)
	much := make([]byte, 2*leastGarbage)
	runtime.GC()
	if err := r.end(); err != nil || !s.told || s.there {
		t.Errorf("the sink was told: %t, the engine was there: %t, error %v", s.told, s.there, err)
	}
	runtime.KeepAlive(much)
}

// A display knows the message at hand, and with it all that the engine remembered: neither is there at the end.
func TestDisplayMakesRoom(t *testing.T) {
	f, err := capture.Open(filepath.Join(captures, "bz24-admin.pcap"))
	noError(t, err)
	defer f.Close()
	schema := newSchema()
	d, err := newDisplay(schema, "copy or bzflag24")
	noError(t, err)
	r := newRun(decode.Options{Protocols: layers.All()}, openGate(d))
	measured, err := newIntervals(&ioOptions{interval: 1, measures: []string{"count(bzflag24.message.from)"}}, r.clock, d, schema)
	noError(t, err)
	s := new(lastSink)
	r.add(measured)
	r.add(s)
	much := make([]byte, 2*leastGarbage)
	runtime.GC()
	if err := r.over(&replayed{files: []*capture.File{f}}, new(interrupt)); err != nil || !s.told || s.there {
		t.Errorf("the sink was told: %t, the last message was there: %t, error %v", s.told, s.there, err)
	}
	runtime.KeepAlive(much)
}
