package wiretest

import (
	"bytes"
	"time"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// One long datagram is held against several short ones of as many bytes together.
const (
	shortSize = 2 << 10
	longSize  = shorts * shortSize
	shorts    = 8
	cheap     = time.Millisecond // what the long one may take without being looked at
	tries     = 6                // machines are busy with other things
)

// checkWork wants the work that a datagram makes to grow with its size, not with the square of it. For each kind of
// message a sample is made long in several ways: it is repeated, its last byte is, and so are both with the largest
// number in one of its numbers, which may be a count or a length.
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
				if most, least := w.compare(s, data); most > least {
					t.Errorf("%s: %d bytes that begin with % x and go on with % x take %v, in %d pieces %v",
						s.Name, longSize, begin[:min(len(begin), 24)], again[:min(len(again), 8)], most, shorts, least)
					return
				}
			}
		}
	}
}

// withLargest gives the data of a sample as they are, and with the largest value in some of its first numbers.
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

// worker does with a datagram what the engine does.
type worker struct {
	protocol *wire.Protocol
	layer    wire.Layer
	tree     wire.Tree
}

// compare tells how long a datagram takes, and its beginning as often as it has the length of it, if the first is
// more than a few times the second whenever it is tried.
func (w *worker) compare(s *Sample, data []byte) (most, least time.Duration) {
	long := *s
	long.Missing, long.Data = 0, data
	short := long
	short.Data = data[:shortSize]
	for range tries {
		if most = w.time(&long); most < cheap {
			return 0, 0
		}
		least = 0
		for range shorts {
			least += w.time(&short)
		}
		if most < shorts/2*least {
			return 0, 0
		}
	}
	return most, least
}

// time tells how long a datagram takes: to be recognised, split, read and shown.
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
