package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/export"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/layers"
)

// A Result is the summary of a shard.
type Result struct {
	Key       string
	Tables    []string // paths of the tables
	Packets   int64
	Messages  int64
	Repeated  int64 // packets that are left out, because another file has them too
	Forgotten []string
}

// dissectFn lets an engine dissect a shard.
type dissectFn struct {
	Options options

	router
}

// ProcessElement emits the result of a shard, and the shard's statistics by sensor. A runner may stop a worker at any
// time and let another one repeat the shard. So the tables are published only when all of them are complete, and their
// names depend only on the shard.
func (f *dissectFn) ProcessElement(
	ctx context.Context, s Shard, routes func(string) func(*Routes) bool, result func(Result),
	counts func(string, []byte),
) error {
	if err := f.open(s.Sensor, routes); err != nil {
		return err
	}
	from := streams(ctx, &s)
	defer from.Close()
	to, err := newFolder(ctx, f.Options.Output, s.Key)
	if err != nil {
		return err
	}
	defer to.abandon()
	w := newWork(&f.Options, &s, to)
	if err := w.take(from, f.of); err != nil {
		return err
	}
	summary, err := w.close()
	if err != nil {
		return err
	}
	text, err := json.Marshal(&w.stats)
	if err != nil {
		return err
	}
	if summary.Tables, err = to.publish(); err != nil {
		return err
	}
	shardsDissected.Inc(ctx, 1)
	packetsDissected.Inc(ctx, summary.Packets)
	messagesFound.Inc(ctx, summary.Messages)
	shardsForgetting.Inc(ctx, int64(min(1, len(summary.Forgotten))))
	result(summary)
	counts(s.Sensor, text)
	return nil
}

// streams merges the packets of the files of a shard.
func streams(ctx context.Context, s *Shard) *merger {
	list, first := make([]stream, len(s.Files)), make([]int64, len(s.Files))
	for i := range s.Files {
		list[i], first[i] = &rereading{ctx: ctx, file: &s.Files[i]}, s.Files[i].First
	}
	return newMerger(list, first)
}

// work is the engine of a shard, with its results.
type work struct {
	shard  *Shard
	engine *decode.Engine
	once   *decode.Deduplicator
	stats  stats.Stats
	tables *export.Exporter
	result Result
}

func newWork(o *options, s *Shard, to *folder) *work {
	w := &work{shard: s, result: Result{Key: s.Key}, stats: stats.Stats{Memory: o.lists()}}
	memory := o.Memory << 20
	w.tables = export.New(export.Options{
		Create: to.create, ByDay: o.Partition == "day", Memory: memory / 4, Before: int64(s.Number) << 40,
	})
	w.engine = decode.New(decode.Options{
		Protocols: layers.All(), Memory: memory / 2, MaskSecrets: o.MaskSecrets, Told: true, Others: true,
		Message: w.message, Finding: w.finding, Value: w.value, Attempt: w.attempt,
	})
	w.once = w.engine.Deduplicator()
	return w
}

func (w *work) message(m *decode.Message) {
	w.once.Copy(m) // needed for the tables' column copy
	w.stats.Message(m)
	w.tables.Message(m)
}

func (w *work) finding(f *wire.TrafficFinding) {
	w.stats.Finding(f)
	w.tables.Finding(f)
}

func (w *work) value(v *wire.Value) {
	w.stats.Value(v)
	w.tables.Value(v)
}

func (w *work) attempt(a *wire.Attempt) {
	w.stats.Attempt(a)
	w.tables.Attempt(a)
}

// take dissects the packets of the shard.
func (w *work) take(from *merger, shard func(*decode.Frame) int) error {
	w.stats.Begin = w.shard.First.Time
	repeats := newRepeats()
	own, begun := make(map[string]bool), false
	for i := range w.shard.Files {
		f := &w.shard.Files[i]
		own[f.Path] = int(f.Owner) == w.shard.Number
	}
	for !w.tables.Failed() {
		h, err := from.next()
		if err != nil {
			return err
		}
		if h == nil {
			break
		}
		frame := frameOf(&h.packet)
		if at := (Tick{frame.File, int64(frame.Number), frame.Time}); at != w.shard.First && !begun {
			w.tick(w.shard.First)
		}
		begun = true
		switch to := shard(&frame); {
		case to < 0 && !own[frame.File] || to >= 0 && to != w.shard.Number:
			w.engine.Skip(&frame) // shows the engine that the capture has no gap here
		case !repeats.is(h):
			w.engine.Frame(&frame)
		}
	}
	w.result.Repeated = repeats.count
	w.engine.Time(w.shard.Newest)
	w.tick(w.shard.Last)
	return nil
}

// tick makes the engine skip a packet, so that the engine learns the packet's time.
func (w *work) tick(t Tick) {
	w.engine.Skip(&decode.Frame{File: t.Path, Number: int(t.Number), Time: t.Time})
}

// close ends the engine and the tables.
func (w *work) close() (Result, error) {
	w.engine.Close()
	for i := range w.shard.Files {
		if f := &w.shard.Files[i]; f.Cut && int(f.Owner) == w.shard.Number {
			w.finding(&wire.TrafficFinding{
				Place: wire.Place{File: f.Path, Frame: int(f.Packets), Time: f.Last}, Rule: decode.RuleFileCut, Text: f.Trouble,
			})
		}
	}
	c := w.engine.Counters()
	c.Others = w.engine.Others()
	w.stats.Count(c)
	w.result.Packets, w.result.Messages = c.Packets, c.Messages
	for _, forgotten := range c.Forgotten {
		text := fmt.Sprintf("%s: %d %s", w.shard.Key, forgotten.Count, forgotten.Name)
		w.result.Forgotten = append(w.result.Forgotten, text)
	}
	return w.result, w.tables.Close()
}
