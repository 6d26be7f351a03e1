package extract

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/report"
)

// SampleOptions are the options of the samples command.
type SampleOptions struct {
	Input  session.InputOptions
	Decode session.DecodeOptions
	Dir    string
	Limit  int // maximum samples of each kind; 0: all
	UDP    uint16
	TCP    uint16
}

// check rejects options that contradict each other. ports is the number of --udp-port and --tcp-port flags given.
func (o *SampleOptions) check(ports int) error {
	switch {
	case ports > 1:
		return errors.New("--udp-port and --tcp-port: choose one of them")
	case ports > 0 && o.UDP == 0 && o.TCP == 0:
		return errors.New("--udp-port and --tcp-port: no packet has port 0")
	case ports > 0 && (o.Decode.Filter != "" || len(o.Decode.Packets.Protocols) > 0):
		return errors.New("-Y and --protocol select messages, but --udp-port and --tcp-port write packets; select " +
			"these with -f")
	case o.Limit < 0:
		return fmt.Errorf("--limit %d: the number of samples cannot be negative", o.Limit)
	}
	return errors.Join(o.Input.Check(), o.Decode.Packets.Check())
}

// Run writes the samples. ports is the number of --udp-port and --tcp-port flags given.
func (o *SampleOptions) Run(std term.Streams, ports int) error {
	if err := o.check(ports); err != nil {
		return err
	}
	engine, err := o.Decode.Engine()
	if err != nil {
		return err
	}
	selection, err := o.Decode.Selection(nil)
	if err != nil {
		return err
	}
	if err := outfile.MakeFolder(o.Dir); err != nil {
		return err
	}
	stop := session.OnInterrupt()
	defer stop.Release()
	w := &sampleWriter{dir: o.Dir, limit: o.Limit, kinds: make(map[string]int), seen: make(map[string]bool)}
	err = o.Input.WithFiles(std.In, stop, func(from *session.FileSource) error {
		r := session.NewRun(engine, selection)
		r.Count, r.Selection.Packets = o.Input.Count, o.Decode.Packets.Wanted(func(err error) { term.Complain(std.Err, err) })
		r.Forgotten = o.Decode.Reading.Memory.Notice(std.Err)
		switch {
		case o.UDP != 0:
			r.Add(session.Sink{Packet: (&portSampler{to: w, transport: wire.UDP, port: o.UDP}).packet})
		case o.TCP != 0:
			r.Add(session.Sink{Packet: (&portSampler{to: w, transport: wire.TCP, port: o.TCP}).packet})
		default:
			r.Add(session.Sink{Message: w.message})
		}
		return r.Over(from, stop)
	})
	err = errors.Join(err, w.failed)
	if err == nil && w.written == 0 {
		err = errors.New("there is nothing to write: no such message was found (--udp-port and --tcp-port also write " +
			"unknown messages)")
	}
	if w.written > 0 {
		fmt.Fprintf(std.Err, "%s written to %s\n", report.Plural(w.written, "sample"), format.AppendPlain(nil, o.Dir))
	}
	return err
}

type sampleWriter struct {
	dir     string
	limit   int             // maximum samples of each kind; 0: no limit
	kinds   map[string]int  // number of samples written, by kind
	seen    map[string]bool // keys: the kind and bytes of each written sample, and its path
	written int64
	failed  error
}

// A sample is a message, datagram or segment to write.
type sample struct {
	kind    string // such as MasterQuery
	place   wire.Place
	context wire.Context
	data    []byte
}

// write writes a sample, unless a sample with the same bytes exists or the sample's kind has reached the limit.
func (w *sampleWriter) write(s *sample) {
	kind := s.kind + " " + s.context.Direction.String()
	bytes := kind + " " + string(s.data)
	if w.failed != nil || w.seen[bytes] || w.limit > 0 && w.kinds[kind] >= w.limit {
		return
	}
	w.seen[bytes] = true
	w.kinds[kind]++
	what := fmt.Sprintf("%s, frame %d of %s.", s.kind, s.place.Frame, format.AppendPlain(nil, filepath.Base(s.place.File)))
	var src, dst netip.AddrPort
	if s.context.Transport == wire.UDP { // samples of TCP messages need no endpoints
		src, dst = s.place.Src, s.place.Dst
	}
	text := print.AppendSample(nil, what, s.context, src, dst, s.data)
	if w.failed = w.create(fmt.Sprintf("%s-%d", fileWords(s.kind), s.place.Frame), text); w.failed == nil {
		w.written++
	}
}

// create writes a new file. If an earlier sample has the same name, it adds a number, because a frame may have several
// messages of a kind, and several captures have the same frame numbers.
func (w *sampleWriter) create(name string, text []byte) error {
	path := filepath.Join(w.dir, name)
	for n := 2; w.seen[path]; n++ {
		path = filepath.Join(w.dir, fmt.Sprintf("%s-%d", name, n))
	}
	w.seen[path] = true
	f, err := os.OpenFile(path+".hex", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path + ".hex") // incomplete
	}
	return err
}

// fileWords converts MasterQuery to master-query and HTTPRequest to http-request.
func fileWords(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '-'
	}, filter.Snake(name))
}

func (w *sampleWriter) message(m *decode.Message) {
	c := m.Layer.Core().Context
	c.Direction, c.Transport = m.Direction, m.Transport
	w.write(&sample{m.Name, m.Place, c, m.Data})
}
