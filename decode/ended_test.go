package decode

import (
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// endRecorder is a tracker that records the ends of streams.
type endRecorder struct {
	listener
	ended []string
}

func (e *endRecorder) Ended(p *wire.Place) {
	e.ended = append(e.ended, p.Src.String()+" "+p.Protocol.Name)
}

// Trackers are notified when one side of a connection will send nothing more. The notification comes after that side's
// messages, and does not come at the end of the capture.
func TestEnded(t *testing.T) {
	ofClient, ofServer := client+" chess", offPort+" chess"
	for _, c := range []struct {
		name string
		end  func(*wired)
		want []string
	}{
		{"not closed", func(*wired) {}, nil},
		{"the client closes", func(w *wired) { w.finish(0) }, []string{ofClient}},
		{"both close", func(w *wired) { w.finish(1); w.finish(0) }, []string{ofServer, ofClient}},
		{"the server resets", func(w *wired) { w.at(1, w.seq[1], tcp.RST, "", 0) }, []string{ofClient, ofServer}},
		{"the ports are used again", func(w *wired) { w.seq = [2]uint32{90000, 80000}; w.open() }, []string{ofClient, ofServer}},
	} {
		for _, parallel := range []bool{false, true} {
			recorder := new(endRecorder)
			p := *toyStreams()
			p.NewTracker = func(*wire.Reporter) wire.Tracker { return recorder }
			w := newWired(t, client, offPort)
			w.table = newTable(t, Options{Protocols: []*wire.Protocol{&p}, Parallel: parallel})
			w.open()
			w.send(0, saying("S?", "a"))
			c.end(w)
			w.Close()
			if slices.Sort(recorder.ended); !slices.Equal(recorder.ended, slices.Sorted(slices.Values(c.want))) {
				t.Errorf("%s, parallel %t: the tracker recorded the ends %q, want %q", c.name, parallel, recorder.ended, c.want)
			}
		}
	}
}
