package wiretest

import (
	"bytes"
	"time"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkWork compares the time for one long datagram with the time for several short ones of the same total size.
const (
	shortSize = 2 << 10
	longSize  = shorts * shortSize
	shorts    = 8
	cheap     = time.Millisecond // a long datagram may always take this long
	tries     = 6                // because other programs may slow down one of the measurements
)

// checkWork checks that the work for a datagram grows with the datagram's size, not with the square of the size. For
// each kind of message it makes a sample long by repeating the sample or its last byte. It also tries the largest value
// in each of the sample's first numbers, because they may be counts or lengths.
func checkWork(t reporter, p *wire.Protocol, samples []*Sample) {
	done := make(map[string]bool)
	w := &worker{protocol: p, layer: p.New()}
	for _, s := range samples {
		r := read(p, p.New(), s)
		r.next()
		kind := r.name() + " " + r.layer.Core().Direction.String()
		if done[kind] || len(s.Data) == 0 {
			continue
		}
		done[kind] = true
		for _, begin := range withLargest(r) {
			for _, again := range [][]byte{s.Data, s.Data[len(s.Data)-1:]} {
				data := append(bytes.Clone(begin), bytes.Repeat(again, longSize/len(again)+1)...)[:longSize]
				if whole, pieces := w.compare(s, data); whole > pieces {
					t.Errorf("%s: %d bytes that begin with % x and continue with % x take %v, but in %d pieces only %v",
						s.Name, longSize, begin[:min(len(begin), 24)], again[:min(len(again), 8)], whole, shorts, pieces)
					return
				}
			}
		}
	}
}

// withLargest returns the data of a sample, and copies with the largest value in one of its first numbers.
func withLargest(r *reader) [][]byte {
	data := r.sample.Data
	list := [][]byte{data}
	for _, l := range leaves(r.tree()) {
		if l.Kind == wire.Uint && l.Size > 0 && len(list) < 5 {
			large := bytes.Clone(data)
			for i := int(l.Off); i < l.end(); i++ {
				large[i] = 0xff
			}
			list = append(list, large)
		}
	}
	return list
}

// worker processes datagrams as the engine does.
type worker struct {
	protocol *wire.Protocol
	layer    wire.Layer
	tree     wire.Tree
}

// compare measures the time for a long datagram, and the total time for several short datagrams that consist of its
// beginning. If the first time is much larger in all tries, compare returns both times, and otherwise zeros.
func (w *worker) compare(s *Sample, data []byte) (whole, pieces time.Duration) {
	long := *s
	long.Missing, long.Data = 0, data
	short := long
	short.Data = data[:shortSize]
	for range tries {
		if whole = w.time(&long); whole < cheap {
			return 0, 0
		}
		pieces = 0
		for range shorts {
			pieces += w.time(&short)
		}
		if whole < shorts/2*pieces {
			return 0, 0
		}
	}
	return whole, pieces
}

// time returns how long recognising, splitting, decoding, annotating and writing a datagram takes.
func (w *worker) time(s *Sample) time.Duration {
	began := time.Now()
	probe(w.protocol, s)
	if isStream(w.protocol, s) {
		wire.CountPlausible(w.protocol.NewSplitter(), s.Direction, s.Data)
		split(s.Data, len(s.Data), next(w.protocol.NewSplitter(), s.Direction))
	}
	for r := read(w.protocol, w.layer, s); r.next(); {
		w.layer.Core().Annotate(w.layer, &w.tree)
		if w.layer.Core().Exact() {
			_ = w.layer.SerializeTo(gopacket.NewSerializeBuffer(), gopacket.SerializeOptions{FixLengths: true})
		}
	}
	return time.Since(began)
}
