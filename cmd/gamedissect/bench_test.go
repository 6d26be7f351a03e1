package main

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/print"
	"github.com/gamedissect/gamedissect/layers"
)

// kept gives the messages of a capture as they are kept for a goroutine that writes.
func kept(b *testing.B, name string, keep decode.Keep) (batches []*decode.Batch, messages int) {
	batch := decode.NewBatch(keep)
	e := decode.New(decode.Options{Protocols: layers.All(), Message: func(m *decode.Message) {
		if batch.Full() {
			batches = append(batches, batch)
			batch = decode.NewBatch(keep)
		}
		batch.Message(m)
		messages++
	}})
	f, err := capture.Open(filepath.Join(captures, name))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read: nothing can be lost
	var p capture.Packet
	for f.Next(&p) == nil {
		e.Frame(&decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number, File: p.File})
	}
	e.Close()
	return append(batches, batch), messages
}

// BenchmarkWrite writes all messages of a capture, in an operation, in a form.
func BenchmarkWrite(b *testing.B) {
	out := newOutput(io.Discard, 0)
	lines := newLineWriter(out, &clock{form: "r"}, false, print.Style{})
	for _, form := range []struct {
		name string
		to   textSink
	}{
		{"line", lines},
		{"tree", newTreeWriter(lines, false, false)},
		{"whole", newTreeWriter(lines, true, true)},
		{"json", newJSONWriter(out, false)},
	} {
		for _, name := range []string{"tribes-list-40.pcap", "bz24-ctf-players.pcap"} {
			b.Run(form.name+"/"+name, func(b *testing.B) {
				_, keep := form.to.text()
				batches, messages := kept(b, name, keep)
				b.ReportAllocs()
				for b.Loop() {
					for _, batch := range batches {
						batch.Each(form.to.message, form.to.finding)
						out.packet()
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(messages), "ns/message")
			})
		}
	}
}
