package message

import (
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/print"
	"github.com/gamedissect/gamedissect/layers"
)

// kept gives the messages of a capture, each with a layer of its own.
func kept(b *testing.B, name string) (messages []*decode.Message) {
	e := decode.New(decode.Options{Protocols: layers.All(), Message: func(m *decode.Message) {
		l, from := m.Protocol.New(), m.Layer.Core()
		l.Core().Context = from.Context
		_ = l.DecodeFromBytes(slices.Clone(from.Decoded()), gopacket.NilDecodeFeedback) // as before
		messages = append(messages, &decode.Message{Place: m.Place, Direction: m.Direction, Name: m.Name, Code: m.Code,
			Length: m.Length, Data: l.LayerContents(), At: m.At, Layer: l, Findings: slices.Clone(m.Findings)})
	}})
	for _, p := range clitest.ReadCapture(b, filepath.Join(clitest.Captures, name)) {
		frame := session.FrameOf(&p)
		e.Frame(&frame)
	}
	e.Close()
	return messages
}

// BenchmarkWrite writes all messages of a capture, in an operation, in a form. Their trees are made already.
func BenchmarkWrite(b *testing.B) {
	out := term.NewOutput(io.Discard, 0)
	lines := NewLineWriter(out, new(session.Clock), nil, print.Style{})
	for _, form := range []struct {
		name string
		to   session.TextSink
	}{
		{"line", lines},
		{"tree", newTreeWriter(lines, false, false)},
		{"whole", newTreeWriter(lines, true, true)},
		{"json", newJSONWriter(out, false)},
	} {
		for _, name := range []string{"tribes-list-40.pcap", "bz24-ctf-players.pcap"} {
			b.Run(form.name+"/"+name, func(b *testing.B) {
				messages := kept(b, name)
				b.ReportAllocs()
				for b.Loop() {
					for _, m := range messages {
						form.to.Message(m)
						out.Packet()
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(messages)), "ns/message")
			})
		}
	}
}
