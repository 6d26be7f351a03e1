package capture

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// WriterOptions are the options for writing packets.
type WriterOptions struct {
	Format string // "pcapng" or "pcap"; "": pcap if the name ends in .pcap, else pcapng
	Limits Limits // when to begin the next file; the zero value: never
	Each   bool   // pass every packet to the operating system at once, for other readers of the file

	// These texts describe the writer in a pcapng file: its program and version, operating system, and machine. Empty
	// texts are omitted.
	Application, OS, Hardware string
}

// Writer writes capture files: pcapng or pcap, both with times in nanoseconds. It must be used by one goroutine.
//
// It buffers packets and writes whole records in large pieces, so if the process is killed, the file can be read to its
// end. Only a kill during a write can leave an incomplete record at the end, because Linux then stops the write at a
// page boundary. Readers report such a record.
//
// If writing fails, for example because the disk is full, the current call and all later ones return the same [*Error].
// If the output is a regular file, the Writer removes the incomplete record.
type Writer struct {
	name       string
	options    WriterOptions
	pcap       bool
	link       LinkType // link type of all packets of a pcap file
	linked     bool     // link is set, and the header of the pcap file has been written
	interfaces interfaces
	files      files
	out        output
	err        error // the error that ended writing
	closed     bool
}

// Create opens a capture file for writing; "-" is standard output. It truncates an existing file, and does not check
// whether that file is one of the inputs. With limits, it writes to files that have a number and a time in their names,
// and the first packet creates the first file. All errors are of type [*Error].
func Create(name string, o WriterOptions) (*Writer, error) {
	if name == "-" {
		return NewWriter(os.Stdout, name, o) //nolint:forbidigo // a capture is data for standard output
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

// NewWriter writes one capture file to out. Close does not close out. Errors carry the name. If the options have no
// format, the name also determines the format.
func NewWriter(out io.Writer, name string, o WriterOptions) (*Writer, error) {
	w, err := newWriter(name, o)
	if err != nil {
		return nil, err
	}
	if o.Limits.any() {
		return nil, &Error{File: w.name, Reason: "is a single output, which cannot continue in further files; name a file",
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

// begin begins a file. It writes the header at once, so the file is a valid capture even if no packet follows or the
// process is killed.
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

// writeSection begins a pcapng section. The section has no interfaces yet.
func (w *Writer) writeSection() {
	w.out.buf = appendSection(w.out.buf, w.options)
	w.out.endRecord(0)
	w.interfaces.forget()
}

func (w *Writer) writeInterface(in Interface) {
	w.out.buf = appendInterface(w.out.buf, in)
	w.out.endRecord(0)
}

func (w *Writer) writeHeader() {
	w.out.buf = appendHeader(w.out.buf, w.link, w.interfaces.snap())
	w.out.endRecord(0)
}

// setLinkType sets the link type of a pcap file if it is not yet set.
func (w *Writer) setLinkType(link LinkType) {
	if w.linked {
		return
	}
	w.link, w.linked = link, true
	if w.out.w != nil {
		w.writeHeader()
	}
}

// Interface announces an interface and returns its index for [Packet.Interface]. If no interface is announced, the
// Writer creates interfaces from the files, indexes and link types of the packets. Interface returns -1 after the
// Writer has created one, and after 4096 interfaces. A pcap file has only the link type and snap length of the first
// interface. If writing fails, Write and Close return the error.
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

// Write writes a packet, to the next file if the current one is full. A pcapng file gets the packet's own comments,
// followed by comments. Write cuts a comment at 65535 bytes, and all comments of a packet at 256 KiB, and marks each
// cut. A pcap file has no comments.
//
// Write returns an error for a packet that the format cannot store; later packets may succeed. It rejects packets
//   - of an interface that was not announced or has another link type,
//   - of a second link type, in pcap,
//   - with a time before 1970, in pcap or on an announced interface,
//   - with a time after 2106, in pcap,
//   - with more than 256 KiB, unless a larger snap length was announced.
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
	w.out.endRecord(1)
	if w.options.Each || len(w.out.buf) >= flushSize {
		return w.Flush()
	}
	return nil
}

// refuse returns the error for a packet that cannot be written, or nil.
func (w *Writer) refuse(p *Packet) error {
	limit, why := w.interfaces.admit(p, w.pcap)
	switch {
	case why != "":
	case w.pcap && w.linked && p.LinkType != w.link:
		why = fmt.Sprintf("a packet is %v, but a pcap file has one link type, here %v; write pcapng", p.LinkType, w.link)
	case p.Time < 0 && w.pcap:
		why = "a packet has a time before 1970, which pcap cannot store; write pcapng"
	case p.Time < 0 && w.interfaces.known():
		why = "a packet has a time before 1970, which the announced interface cannot store"
	case w.pcap && p.Time > lastPcapTime:
		why = "a packet has a time after 2106, which pcap cannot store; write pcapng"
	case len(p.Data) > int(limit):
		why = fmt.Sprintf("a packet has %d bytes, above the limit of %d", len(p.Data), limit)
	default:
		return nil
	}
	return w.refusal(why)
}

// refusal returns an error after which writing can continue.
func (w *Writer) refusal(reason string) *Error {
	return &Error{File: w.currentName(), Offset: w.Size(), Packet: w.out.packets, Reason: reason, Err: fs.ErrInvalid}
}

func (w *Writer) currentName() string {
	if w.files.current != "" {
		return w.files.current
	}
	return w.name
}

// identify returns the number of a packet's interface in the section. It begins another section if the current one has
// too many interfaces.
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

// Statistics writes the counts of an announced interface. Call it after the last packet. A pcap file has no statistics.
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
	w.out.endRecord(0)
	return nil
}

// Flush passes everything written so far to the operating system.
func (w *Writer) Flush() error {
	if w.err == nil && w.out.w != nil {
		if err := w.out.flush(); err != nil {
			err.File = w.currentName()
			w.err = err
		}
	}
	return w.err
}

// Close flushes and closes the file. It returns the error that ended writing, if there was one. Later calls do nothing.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	if w.pcap {
		w.setLinkType(ethernet) // makes a file without packets a valid capture too
	}
	if w.out.w == nil && w.err == nil {
		_ = w.prepareFile(time.Now().UnixNano()) // error kept in w.err
	}
	w.finish()
	err := w.err
	w.err = &Error{File: w.name, Reason: "is closed", Err: fs.ErrClosed}
	return err
}

// finish ends the current file.
func (w *Writer) finish() {
	_ = w.Flush() // error kept in w.err
	empty := w.err != nil && w.options.Limits.any() && w.files.file != nil && w.out.size == 0
	if err := w.files.close(); err != nil && w.err == nil {
		w.err = err
	}
	if empty {
		_ = os.Remove(w.files.current) // not a valid capture; w.err says why writing failed
	}
	w.out.w = nil
}

// Size returns the size of the current file in bytes, including the bytes not yet flushed.
func (w *Writer) Size() int64 { return w.out.size + int64(len(w.out.buf)) }
