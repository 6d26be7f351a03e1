package main

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// dissect builds the pipeline.
//
//	files -> scan -> once by content ------------> plan -> shards ------------------> dissect -> tables
//	            \--> components by sensor --------/    \-> routes -------------------/      \--> statistics by sensor
//
// The pipeline reads files twice: to find which hosts belong together, and to dissect. A shard is the work of one
// engine: several components of a sensor, or a single large one. The worker of a shard reads the files with its packets
// itself. So a runner never holds packets.
func dissect(s beam.Scope, o options) {
	paths := beam.Reshuffle(s, beam.ParDo(s, &matchFn{}, beam.CreateList(s, o.Inputs)))
	files, sketches := beam.ParDo2(s, &scanFn{Sensor: o.Sensor}, paths)
	files, copies := beam.ParDo2(s, onceByContent, beam.GroupByKey(s, files))
	sketches = beam.CombinePerKey(s, &uniteFn{}, sketches)
	shards, routes := beam.ParDo2(s, &planFn{ShardPackets: o.ShardPackets}, beam.CoGroupByKey(s, sketches, files))
	results, counts := beam.ParDo2(s, &dissectFn{Options: o}, beam.Reshuffle(s, shards), beam.SideInput{Input: routes})
	counts = beam.ParDo(s, &writeStatsFn{Output: o.Output}, beam.CombinePerKey(s, &countFn{Memory: o.lists()}, counts))
	beam.ParDo0(s, &finishFn{Output: o.Output}, beam.Impulse(s),
		beam.SideInput{Input: beam.DropKey(s, files)}, beam.SideInput{Input: copies},
		beam.SideInput{Input: results}, beam.SideInput{Input: counts})
}

// Reflection calls these functions, once for each file or shard. Beam's package register would avoid reflection, but
// takes the compiler a minute.
func init() {
	for _, t := range []reflect.Type{
		reflect.TypeFor[matchFn](), reflect.TypeFor[scanFn](), reflect.TypeFor[uniteFn](), reflect.TypeFor[planFn](),
		reflect.TypeFor[dissectFn](), reflect.TypeFor[countFn](), reflect.TypeFor[writeStatsFn](),
		reflect.TypeFor[finishFn](),
	} {
		beam.RegisterType(t)
	}
	beam.RegisterFunction(onceByContent)
}

// matchFn returns the files that match a pattern.
type matchFn struct{}

// ProcessElement emits these files.
func (*matchFn) ProcessElement(ctx context.Context, pattern string, emit func(string)) error {
	paths, err := match(ctx, pattern)
	if err != nil {
		return err
	}
	for _, path := range paths {
		emit(path)
	}
	if len(paths) == 0 {
		emit(pattern) // scanFn will fail to open it, and report that
	}
	return nil
}

// match lists the files that match a pattern. If none does, the pattern may be the name of a file, such as "a[1].pcap".
func match(ctx context.Context, pattern string) ([]string, error) {
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer func() { _ = fs.Close() }() // harmless: only lists
	paths, err := fs.List(ctx, pattern)
	if err == nil && len(paths) == 0 {
		if _, err := fs.Size(ctx, pattern); err == nil {
			return []string{pattern}, nil
		}
	}
	return paths, err
}
