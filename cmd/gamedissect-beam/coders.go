package main

import (
	"bytes"
	"encoding/gob"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gamedissect/gamedissect/cmd/gamedissect-beam/split"
)

// Values that travel between workers are opaque to the runner. Otherwise Beam would encode these types as rows, and
// runners in Java would decode the rows. The runners of Beam 2.62 read beyond the end of such rows.
func init() {
	beam.RegisterCoder(reflect.TypeFor[File](), encodeFile, decodeFile)
	beam.RegisterCoder(reflect.TypeFor[split.Sketch](), encodeSketch, decodeSketch)
	beam.RegisterCoder(reflect.TypeFor[Shard](), encodeShard, decodeShard)
	beam.RegisterCoder(reflect.TypeFor[Routes](), encodeRoutes, decodeRoutes)
	beam.RegisterCoder(reflect.TypeFor[Result](), encodeResult, decodeResult)
}

// Beam finds these functions by name, so they cannot be instances of a generic function.

func encodeFile(v File) ([]byte, error) { return pack(v) }

func decodeFile(b []byte) (File, error) { return unpack[File](b) }

func encodeSketch(v split.Sketch) ([]byte, error) { return pack(v) }

func decodeSketch(b []byte) (split.Sketch, error) { return unpack[split.Sketch](b) }

func encodeShard(v Shard) ([]byte, error) { return pack(v) }

func decodeShard(b []byte) (Shard, error) { return unpack[Shard](b) }

func encodeRoutes(v Routes) ([]byte, error) { return pack(v) }

func decodeRoutes(b []byte) (Routes, error) { return unpack[Routes](b) }

func encodeResult(v Result) ([]byte, error) { return pack(v) }

func decodeResult(b []byte) (Result, error) { return unpack[Result](b) }

func pack[T any](v T) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(&v)
	return b.Bytes(), err
}

func unpack[T any](b []byte) (v T, err error) {
	err = gob.NewDecoder(bytes.NewReader(b)).Decode(&v)
	return v, err
}
