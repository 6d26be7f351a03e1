package main

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/print"
)

// samplesOptions are what the command line of samples asks for.
type samplesOptions struct {
	input  inputOptions
	decode decodeOptions
	dir    string
	limit  int
	udp    uint16
	tcp    uint16
}

// newSamples makes the command that writes messages for tests.
func newSamples(std streams) *cobra.Command {
	var o samplesOptions
	c := &cobra.Command{
		Use:   "samples -r FILE [-o DIR]",
		Short: "write messages as .hex files, to test a protocol with",
		Long: `samples writes messages of a capture as .hex files, one each, in the form that the tests in
testdata/PROTOCOL read: what it is and where it comes from, endpoints and direction, and the bytes. A file is
named by the message and its frame. Messages with the same bytes are written once, and of each kind the first
few; -Y chooses which. The rules that a message breaks are to be stated by hand, "breaks: RULE SEVERITY BYTES".

For a protocol that is not known yet, --udp-port and --tcp-port write what is sent from and to a port instead:
each datagram, and of connections what each segment carries. Who receives on that port is taken for the server.

No file is written over. Captures hold names and addresses: gamedissect anonymize changes them before.`,
		Example: `  gamedissect samples -r session.pcap -Y bzflag24.killed -o testdata/bzflag24
  gamedissect samples -r session.pcap --protocol tribes --limit 0 -o all
  gamedissect samples -r unknown.pcap --udp-port 27960 -o testdata/quake3`,
		Args: o.input.noWords,
		RunE: func(c *cobra.Command, _ []string) error {
			ports := 0
			for _, flag := range []string{"udp-port", "tcp-port"} {
				if c.Flags().Changed(flag) {
					ports++
				}
			}
			return o.run(std, ports)
		},
	}
	o.input.flags(c)
	o.decode.flags(c)
	f := c.Flags()
	f.StringVarP(&o.dir, "output", "o", ".", "write to the folder `DIR`, which is made if need be")
	f.IntVar(&o.limit, "limit", 3, "write at most `N` samples of each kind of message and direction; 0 is all")
	f.Uint16Var(&o.udp, "udp-port", 0, "write the datagrams from and to the UDP port `N`, whatever they are")
	f.Uint16Var(&o.tcp, "tcp-port", 0, "write what is sent over TCP from and to the port `N`, whatever it is")
	must(c.MarkFlagDirname("output"))
	return c
}

// check finds what makes no sense. ports is how many ports are named.
func (o *samplesOptions) check(ports int) error {
	switch {
	case ports > 1:
		return errors.New("--udp-port and --tcp-port: one of them at a time")
	case ports > 0 && o.udp == 0 && o.tcp == 0:
		return errors.New("--udp-port and --tcp-port: no packet has port 0")
	case ports > 0 && (o.decode.filter != "" || len(o.decode.packets.protocols) > 0):
		return errors.New("-Y and --protocol choose messages; --udp-port and --tcp-port write what need not be any (-f " +
			"chooses packets)")
	case o.limit < 0:
		return fmt.Errorf("--limit %d: the number of samples cannot be negative", o.limit)
	}
	return errors.Join(o.input.check(), o.decode.packets.check(true))
}

func (o *samplesOptions) run(std streams, ports int) error {
	if err := o.check(ports); err != nil {
		return err
	}
	engine, err := o.decode.engine()
	if err != nil {
		return err
	}
	shows := new(display)
	if o.decode.filter != "" {
		if shows, err = newDisplay(newSchema(), o.decode.filter); err != nil {
			return err
		}
	}
	if err := makeFolder(o.dir); err != nil {
		return err
	}
	stop := onInterrupt()
	defer stop.release()
	w := &sampleWriter{dir: o.dir, limit: o.limit, kinds: make(map[string]int), seen: make(map[string]bool)}
	err = o.input.withFiles(std.in, stop, func(from *fileSource) error {
		r := newRun(engine, o.decode.gate(shows))
		r.count, r.wanted = o.input.count, o.decode.packets.wanted(func(err error) { complain(std.err, err) })
		r.forgotten = o.decode.reading.memory.notice(std.err)
		switch {
		case o.udp != 0:
			r.add(&portSampler{to: w, transport: wire.UDP, port: o.udp})
		case o.tcp != 0:
			r.add(&portSampler{to: w, transport: wire.TCP, port: o.tcp})
		default:
			r.add(&messageSampler{to: w})
		}
		return r.over(from, stop)
	})
	err = errors.Join(err, w.failed)
	if err == nil && w.written == 0 {
		err = errors.New("there is nothing to write: no such message was found (--udp-port and --tcp-port write what is " +
			"not known)")
	}
	if w.written > 0 {
		fmt.Fprintf(std.err, "%s written to %s\n", counted(w.written, "sample"), appendPlain(nil, o.dir))
	}
	return err
}

// sampleWriter writes samples to a folder.
type sampleWriter struct {
	dir     string
	limit   int            // of each kind; 0: none
	kinds   map[string]int // how many there are
	seen    map[string]bool
	written int64
	failed  error
}

// sample is what is known of one.
type sample struct {
	kind    string // "MasterQuery"
	place   wire.Place
	context wire.Context
	data    []byte
}

// write writes a sample, unless there is one with its bytes or there are enough of its kind.
func (w *sampleWriter) write(s *sample) {
	kind := s.kind + " " + s.context.Direction.String()
	bytes := kind + " " + string(s.data)
	if w.failed != nil || w.seen[bytes] || w.limit > 0 && w.kinds[kind] >= w.limit {
		return
	}
	w.seen[bytes] = true
	w.kinds[kind]++
	what := fmt.Sprintf("%s, frame %d of %s.", s.kind, s.place.Frame, appendPlain(nil, filepath.Base(s.place.File)))
	var src, dst netip.AddrPort
	if s.context.Transport == wire.UDP { // what the session of a stream knows is what was said before
		src, dst = s.place.Src, s.place.Dst
	}
	text := print.AppendSample(nil, what, s.context, src, dst, s.data)
	if w.failed = w.create(fmt.Sprintf("%s-%d", fileWords(s.kind), s.place.Frame), text); w.failed == nil {
		w.written++
	}
}

// create writes a new file. A frame may have several messages of a kind, and there may be several files with
// frames.
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
		_ = os.Remove(path + ".hex") // it is not whole
	}
	return err
}

// fileWords makes "master-query" of "MasterQuery", and "http-request" of "HTTPRequest".
func fileWords(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		ends := i > 0 && !unicode.IsUpper(letters[i-1])
		begins := i > 0 && i+1 < len(letters) && unicode.IsLower(letters[i+1])
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = '-'
		case unicode.IsUpper(r) && (ends || begins):
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// messageSampler is the sink that makes samples of messages.
type messageSampler struct{ to *sampleWriter }

func (*messageSampler) finding(*wire.TrafficFinding) {}

func (s *messageSampler) message(m *decode.Message) {
	c := m.Layer.Core().Context
	c.Direction, c.Transport = m.Direction, m.Transport
	s.to.write(&sample{m.Name, m.Place, c, m.Data})
}
