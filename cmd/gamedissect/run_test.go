package main

import (
	"runtime"
	"testing"
	"weak"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// lastSink looks whether the engine is still there when it is told that nothing more comes.
type lastSink struct {
	engine weak.Pointer[decode.Engine]
	told   bool
	there  bool
}

func (*lastSink) message(*decode.Message)      {}
func (*lastSink) finding(*wire.TrafficFinding) {}

func (s *lastSink) end(decode.Counters) error {
	s.told, s.there = true, s.engine.Value() != nil
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
