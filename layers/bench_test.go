package layers_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// spoken is a message of a capture, and what is known of it besides its bytes.
type spoken struct {
	data    []byte
	context wire.Context
}

// sayings gives the messages of the captures, by protocol, in their order.
func sayings(b *testing.B) map[*wire.Protocol][]spoken {
	all := make(map[*wire.Protocol][]spoken)
	e := decode.New(decode.Options{Protocols: layers.All(), Message: func(m *decode.Message) {
		context := m.Layer.Core().Context
		all[m.Protocol] = append(all[m.Protocol], spoken{bytes.Clone(m.Data), context})
	}})
	names, err := filepath.Glob("../testdata/pcap/*.pcap")
	if err != nil || len(names) == 0 {
		b.Fatal("no captures", err)
	}
	for _, name := range names {
		f, err := capture.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		var p capture.Packet
		for f.Next(&p) == nil {
			e.Frame(&decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number, File: p.File})
		}
		_ = f.Close() // only read: nothing can be lost
	}
	e.Close()
	return all
}

// BenchmarkDecode reads the messages of real captures, one an operation.
func BenchmarkDecode(b *testing.B) {
	eachSpoken(b, func(l wire.Layer, s *spoken) {
		l.Core().Context = s.context
		_ = l.DecodeFromBytes(s.data, gopacket.NilDecodeFeedback) // some are broken on purpose
	})
}

// BenchmarkAnnotate reads messages and makes their trees.
func BenchmarkAnnotate(b *testing.B) {
	var t wire.Tree
	eachSpoken(b, func(l wire.Layer, s *spoken) {
		l.Core().Context = s.context
		_ = l.DecodeFromBytes(s.data, gopacket.NilDecodeFeedback)
		l.Core().Annotate(l, &t)
	})
}

func eachSpoken(b *testing.B, do func(wire.Layer, *spoken)) {
	all := sayings(b)
	for _, p := range layers.All() {
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
