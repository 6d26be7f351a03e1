package session

import (
	"path/filepath"
	"runtime"
	"testing"
	"weak"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// lastSink records at its end whether the engine and the last message are still in memory.
type lastSink struct {
	engine weak.Pointer[decode.Engine]
	last   weak.Pointer[decode.Message]
	ended  bool
	kept   bool
}

func (s *lastSink) message(m *decode.Message) { s.last = weak.Make(m) }

func (s *lastSink) end(decode.Counters) error {
	s.ended, s.kept = true, s.engine.Value() != nil || s.last.Value() != nil
	return nil
}

// useMuchMemory allocates so much memory that makeRoom collects garbage at the end of a run.
func useMuchMemory() []byte {
	much := make([]byte, 2*minGarbage)
	runtime.GC()
	return much
}

// If a lot of memory is in use, the engine is freed before sinks write their results.
func TestEngineMakesRoom(t *testing.T) {
	r := NewRun(decode.Options{}, Selection{})
	s := new(lastSink)
	r.Add(Sink{Message: s.message, End: s.end})
	r.Engine = decode.New(r.Options)
	s.engine = weak.Make(r.Engine)
	much := useMuchMemory()
	if err := r.end(); err != nil || !s.ended || s.kept {
		t.Errorf("End was called: %t, the engine was in memory: %t, error %v", s.ended, s.kept, err)
	}
	runtime.KeepAlive(much)
}

// endless is a source without an end, like a live capture. The engine processes its packets in one goroutine.
type endless struct{ *FileSource }

func (endless) Endless() bool { return true }

// A selection refers to the last message, which refers to the engine's state. At the end of a run, neither is in
// memory.
func TestSelectionMakesRoom(t *testing.T) {
	selection, err := (&DecodeOptions{Filter: "copy or bzflag24", Once: true}).Selection(nil)
	clitest.NoError(t, err)
	r := NewRun(decode.Options{Protocols: option.Protocols()}, selection)
	s := new(lastSink)
	r.Add(Sink{Message: s.message, End: s.end})
	much := useMuchMemory()
	input := InputOptions{Names: []string{filepath.Join(clitest.Captures, "bz24-admin.pcap")}}
	err = input.WithFiles(nil, new(Interrupt), func(from *FileSource) error {
		return r.Over(endless{from}, new(Interrupt))
	})
	if err != nil || !s.ended || s.kept || s.last == (weak.Pointer[decode.Message]{}) {
		t.Errorf("End was called: %t, the last message was in memory: %t, error %v", s.ended, s.kept, err)
	}
	runtime.KeepAlive(much)
}

// A second goroutine is worth its cost only if there is text to write.
func TestParallel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for _, test := range []struct {
		name string
		sink Sink
		want bool
	}{
		{"no text", Sink{}, false},
		{"text", Sink{Text: new(term.Output), Later: true}, true},
		{"text, and packets", Sink{Text: new(term.Output), Packet: func(*capture.Packet) {}}, false},
		{"text that follows each packet", Sink{Text: &term.Output{Eager: true}}, false},
	} {
		r := NewRun(decode.Options{}, Selection{})
		r.Add(test.sink)
		if got := r.parallel(&FileSource{}); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}
