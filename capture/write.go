package capture

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// WriterOptions say how packets are written. The zero value is good for most.
type WriterOptions struct {
	Format string // "pcapng" or "pcap"; "": pcap where the name ends in .pcap, else pcapng
	Limits Limits // when to go on to the next file; the zero value: never
	Each   bool   // hand every packet to the operating system at once, for those who look on

	// What a pcapng file tells of its writer: the program and its version, the
	// operating system, the machine. Empty ones are left out.
	Application, OS, Hardware string
}

// Writer writes capture files: pcapng or pcap, both with times in nanoseconds.
// It is for one goroutine.
//
// Packets are gathered and go out in large writes that begin and end between
// records, so that a process which is killed leaves a file that can be read to
// its end. Only a kill in the very middle of a write can leave a record in part
// after the whole ones, which readers tell: Linux then ends the write at a page.
// A write that fails, on a full disk or elsewhere, ends writing: that call and
// all after it return the same [*Error]. What it wrote of a record in part is
// taken back where the output is a regular file.
type Writer struct {
	name       string
	options    WriterOptions
	pcap       bool
	link       LinkType // of all packets of a pcap file
	linked     bool     // link is known, and the header of this pcap file written
	interfaces interfaces
	files      files
	out        output
	err        error // why there is no more writing
	closed     bool
}

// Create opens a capture file for writing; "-" is standard output. What the file
// held is lost, so ask [SameFile] before. With limits, packets go to numbered
// files beside that name, none of which may be there yet; the first is made
// with the first packet. All errors are of type [*Error].
func Create(name string, o WriterOptions) (*Writer, error) {
	if name == "-" {
		return NewWriter(os.Stdout, name, o) //nolint:forbidigo // a capture is data, and the caller asks for it there
	}
	w, err := newWriter(name, o)
	if err != nil {
		return nil, err
	}
	if o.Limits.any() {
		if err := w.files.number(name); err != nil {
			return nil, err
		}
		return w, nil
	}
	if err := w.files.create(name, os.O_TRUNC); err != nil {
		return nil, err
	}
	if err := w.begin(w.files.file); err != nil {
		_ = w.files.close()
		return nil, err
	}
	return w, nil
}

// NewWriter writes one capture file to out, which Close leaves open. The name is
// for errors and, where the options leave it open, for the format.
func NewWriter(out io.Writer, name string, o WriterOptions) (*Writer, error) {
	w, err := newWriter(name, o)
	if err != nil {
		return nil, err
	}
	if o.Limits.any() {
		return nil, &Error{File: w.name, Reason: "is one output, which cannot go on to further files; name a file",
			Err: fs.ErrInvalid}
	}
	if err := w.begin(out); err != nil {
		return nil, err
	}
	return w, nil
}

func newWriter(name string, o WriterOptions) (*Writer, error) {
	name = outputName(name)
	format, err := formatOf(name, o.Format)
	if err == nil {
		err = o.Limits.valid()
	}
	if err != nil {
		return nil, &Error{File: name, Reason: err.Error(), Err: fs.ErrInvalid}
	}
	return &Writer{name: name, options: o, pcap: format == formatPcap}, nil
}

// begin begins a file, and its header goes out at once: a reader who comes
// before the first packet, or after a kill, finds a capture file.
func (w *Writer) begin(out io.Writer) error {
	w.out.begin(out)
	if !w.pcap {
		w.writeSection()
		for _, in := range w.interfaces.announced {
			w.writeInterface(in)
		}
	} else if w.linked {
		w.writeHeader()
	}
	return w.Flush()
}

// writeSection begins a pcapng section, which knows no interfaces yet.
func (w *Writer) writeSection() {
	w.out.buf = appendSection(w.out.buf, w.options)
	w.out.record(0)
	w.interfaces.forget()
}

func (w *Writer) writeInterface(in Interface) {
	w.out.buf = appendInterface(w.out.buf, in)
	w.out.record(0)
}

// writeHeader writes the header of a pcap file.
func (w *Writer) writeHeader() {
	w.out.buf = appendHeader(w.out.buf, w.link, w.interfaces.snap())
	w.out.record(0)
}

// setLinkType gives a pcap file its link type, unless it has one.
func (w *Writer) setLinkType(link LinkType) {
	if w.linked {
		return
	}
	w.link, w.linked = link, true
	if w.out.w != nil {
		w.writeHeader()
	}
}

// Interface announces an interface and gives the index that
// [Packet.Interface] then has to name. Where none is announced, the Writer
// describes the interfaces of packets by what these tell. The result is -1
// after the first packet of that kind, and after 4096 interfaces. Pcap keeps the
// link type and snap length of the first. That writing failed shows later.
func (w *Writer) Interface(i Interface) int {
	index := w.interfaces.announce(i)
	switch {
	case index < 0 || w.err != nil:
	case w.pcap:
		w.setLinkType(i.LinkType)
	case w.out.w != nil:
		w.writeInterface(i)
	}
	return index
}

// Write writes a packet, and goes on to the next file before where that is due.
// Pcapng keeps the packet's own comments and the further ones; one longer than
// 65535 bytes is cut with a mark, and so are those of a packet that together take
// more than 256 KiB. Pcap has no comments.
//
// A packet that the format cannot hold is refused with an error, and others may
// follow: one whose interface was not announced or is of another link type,
// of a second link type in pcap, of a time before 1970 (pcap: or after
// 2106), or of more than 256 KiB where no larger snap length was announced.
func (w *Writer) Write(p *Packet, comments ...string) error {
	if w.err != nil {
		return w.err
	}
	if err := w.refuse(p); err != nil {
		return err
	}
	if err := w.prepareFile(p.Time); err != nil {
		return err
	}
	if w.pcap {
		w.setLinkType(p.LinkType)
		w.out.buf = appendRecord(w.out.buf, p)
	} else {
		w.out.buf = appendEnhanced(w.out.buf, w.identify(p), p, comments)
	}
	w.out.record(1)
	if w.options.Each || len(w.out.buf) >= flushSize {
		return w.Flush()
	}
	return nil
}

// refuse tells why a packet cannot be written.
func (w *Writer) refuse(p *Packet) error {
	limit, why := w.interfaces.admit(p, w.pcap)
	switch {
	case why != "":
	case w.pcap && w.linked && p.LinkType != w.link:
		why = fmt.Sprintf("a packet is %v, but a pcap file holds one link type, here %v; write pcapng", p.LinkType, w.link)
	case p.Time < 0:
		why = "a packet is of a time before 1970, which cannot be written"
	case w.pcap && p.Time > lastPcapTime:
		why = "a packet is of a time after 2106, which pcap cannot hold; write pcapng"
	case len(p.Data) > int(limit):
		why = fmt.Sprintf("a packet has %d bytes, above the limit of %d", len(p.Data), limit)
	default:
		return nil
	}
	return w.refusal(why)
}

// refusal is the error of what cannot be written here. It does not end writing.
func (w *Writer) refusal(reason string) *Error {
	return &Error{File: w.currentName(), Offset: w.Size(), Packet: w.out.packets, Reason: reason, Err: fs.ErrInvalid}
}

// currentName gives the name of the file that is being written.
func (w *Writer) currentName() string {
	if w.files.current != "" {
		return w.files.current
	}
	return w.name
}

// identify gives the number of a packet's interface in the section, and begins
// another section when this one has no room for one more.
func (w *Writer) identify(p *Packet) int {
	if w.interfaces.known() {
		return p.Interface
	}
	if id, ok := w.interfaces.find(p); ok {
		return id
	}
	if w.interfaces.crowded() {
		w.writeSection()
	}
	id, in := w.interfaces.add(p)
	w.writeInterface(in)
	return id
}

// Statistics writes what an announced interface counted. It belongs after the
// packets. Pcap has no statistics.
func (w *Writer) Statistics(index int, s InterfaceStatistics) error {
	if w.err != nil || w.pcap {
		return w.err
	}
	if index < 0 || index >= len(w.interfaces.announced) {
		return w.refusal(fmt.Sprintf("there are statistics of interface %d, but only %d were announced", index,
			len(w.interfaces.announced)))
	}
	if w.out.w == nil {
		t := s.End
		if t <= 0 {
			t = time.Now().UnixNano()
		}
		if err := w.prepareFile(t); err != nil {
			return err
		}
	}
	w.out.buf = appendStatistics(w.out.buf, index, s)
	w.out.record(0)
	return nil
}

// Flush hands everything written so far to the operating system.
func (w *Writer) Flush() error {
	if w.err == nil && w.out.w != nil {
		if err := w.out.flush(); err != nil {
			err.File = w.currentName()
			w.err = err
		}
	}
	return w.err
}

// Close writes what is left and closes the file. It returns the error that ended
// writing, if there was one. Closing again does nothing.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	if w.pcap {
		w.setLinkType(ethernet) // without a packet it is still to be a capture file
	}
	if w.out.w == nil && w.err == nil {
		_ = w.prepareFile(time.Now().UnixNano()) // w.err keeps it
	}
	w.finish()
	err := w.err
	w.err = &Error{File: w.name, Reason: "is closed", Err: fs.ErrClosed}
	return err
}

// finish ends the file that is being written.
func (w *Writer) finish() {
	_ = w.Flush() // w.err keeps it
	if err := w.files.close(); err != nil && w.err == nil {
		w.err = err
	}
	w.out.w = nil
}

// Size gives the bytes of the file that is being written, flushed or not.
func (w *Writer) Size() int64 { return w.out.size + int64(len(w.out.buf)) }
