package main

import (
	"bytes"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// spoken is a message with its context.
type spoken struct {
	data    []byte
	context wire.Context
}

// spokenMessages returns the messages of all captures in order, by protocol.
func spokenMessages(b *testing.B) map[*wire.Protocol][]spoken {
	all := make(map[*wire.Protocol][]spoken)
	e := decode.New(decode.Options{Protocols: protocols.All(), Message: func(m *decode.Message) {
		all[m.Protocol] = append(all[m.Protocol], spoken{bytes.Clone(m.Data), m.Layer.Core().Context})
	}})
	files, err := findCaptures(realCaptures)
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		list, _ := readAll(file) // errors ignored: some are damaged on purpose
		for _, p := range list {
			e.Frame(&decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number, File: p.File})
		}
	}
	e.Close()
	return all
}

// BenchmarkDecode decodes the messages of real captures, one per operation.
func BenchmarkDecode(b *testing.B) {
	eachSpoken(b, func(l wire.Layer, s *spoken) {
		l.Core().Context = s.context
		_ = l.DecodeFromBytes(s.data, gopacket.NilDecodeFeedback) // errors ignored: some are broken on purpose
	})
}

// BenchmarkAnnotate decodes messages and builds their trees.
func BenchmarkAnnotate(b *testing.B) {
	var t wire.Tree
	eachSpoken(b, func(l wire.Layer, s *spoken) {
		l.Core().Context = s.context
		_ = l.DecodeFromBytes(s.data, gopacket.NilDecodeFeedback)
		l.Core().Annotate(l, &t)
	})
}

func eachSpoken(b *testing.B, do func(wire.Layer, *spoken)) {
	all := spokenMessages(b)
	for _, p := range protocols.All() {
		list := all[p]
		b.Run(p.Name, func(b *testing.B) {
			l := p.New()
			bytes, i := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				s := &list[i]
				do(l, s)
				bytes += len(s.data)
				if i++; i == len(list) {
					i = 0
				}
			}
			b.SetBytes(int64(bytes / b.N))
		})
	}
}
