package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/gamedissect/gamedissect/internal/stats"
)

func init() {
	beam.RegisterCoder(reflect.TypeFor[*stats.Stats](), encodeStats, decodeStats)
}

// encodeStats writes statistics for another worker: first the field Memory, which the text lacks, then the text.
func encodeStats(s *stats.Stats) ([]byte, error) {
	text, err := json.Marshal(s)
	return append(binary.AppendUvarint(nil, uint64(s.Memory)), text...), err
}

func decodeStats(b []byte) (*stats.Stats, error) {
	memory, n := binary.Uvarint(b)
	if n <= 0 {
		return nil, errors.New("statistics of another worker are malformed")
	}
	return readStats(b[n:], int(memory))
}

// readStats reads statistics from their text.
func readStats(text []byte, memory int) (*stats.Stats, error) {
	s := &stats.Stats{Memory: memory}
	return s, json.Unmarshal(text, s)
}

// countFn merges statistics. The result is exact and does not depend on the order. The statistics become text only at
// the end.
type countFn struct {
	Memory int // limit for the lists of each accumulator in bytes, as in stats.Stats
}

// CreateAccumulator returns empty statistics.
func (f *countFn) CreateAccumulator() *stats.Stats { return &stats.Stats{Memory: f.Memory} }

// AddInput adds the statistics of a shard.
func (f *countFn) AddInput(all *stats.Stats, text []byte) (*stats.Stats, error) {
	one, err := readStats(text, f.Memory)
	if err == nil {
		all.Merge(one)
	}
	return all, err
}

// MergeAccumulators adds the statistics of b to those of a.
func (*countFn) MergeAccumulators(a, b *stats.Stats) *stats.Stats {
	a.Merge(b)
	return a
}

// ExtractOutput returns the statistics as JSON.
func (*countFn) ExtractOutput(all *stats.Stats) ([]byte, error) { return json.Marshal(all) }

// writeStatsFn writes the statistics of a sensor to a file.
type writeStatsFn struct {
	Output string
}

// ProcessElement writes the file and emits its path.
func (f *writeStatsFn) ProcessElement(ctx context.Context, sensor string, text []byte, emit func(string)) error {
	fs, err := filesystem.New(ctx, f.Output)
	if err != nil {
		return err
	}
	defer func() { _ = fs.Close() }() // harmless: writeFile has closed the file
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		return err
	}
	indented.WriteByte('\n')
	path := statisticsPath(f.Output, fileName(sensor)+".json")
	if err := writeFile(ctx, fs, path, indented.Bytes()); err != nil {
		return err
	}
	emit(path)
	return nil
}
