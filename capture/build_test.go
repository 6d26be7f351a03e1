package capture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/gamedissect/gamedissect/capture"
)

// writeOrder is the byte order of a written file.
type writeOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

var little, big writeOrder = binary.LittleEndian, binary.BigEndian

// pcapFile writes pcap files field by field, valid or not.
type pcapFile struct {
	writeOrder
	magic        uint32
	major, minor uint16
	snap, link   uint32
}

func micro(o writeOrder) pcapFile {
	return pcapFile{o, 0xa1b2c3d4, 2, 4, 262144, 1}
}

func (f pcapFile) header() []byte {
	b := f.AppendUint32(nil, f.magic)
	b = f.AppendUint16(b, f.major)
	b = f.AppendUint16(b, f.minor)
	b = append(b, make([]byte, 8)...)
	b = f.AppendUint32(b, f.snap)
	return f.AppendUint32(b, f.link)
}

// record returns a record whose header fields may be wrong.
func (f pcapFile) record(sec, frac, captured, length uint32, data string) []byte {
	b := f.AppendUint32(nil, sec)
	b = f.AppendUint32(b, frac)
	b = f.AppendUint32(b, captured)
	b = f.AppendUint32(b, length)
	if f.magic == 0xa1b2cd34 {
		b = append(b, 0, 0, 0, 1, 8, 0, 4, 0) // interface index, protocol, packet type
	}
	return append(b, data...)
}

// packet returns a complete record.
func (f pcapFile) packet(sec, frac uint32, data string) []byte {
	return f.record(sec, frac, uint32(len(data)), uint32(len(data)), data)
}

// ng writes pcapng blocks field by field.
type ng struct{ writeOrder }

func (o ng) block(kind uint32, body ...[]byte) []byte {
	inside := pad(bytes.Join(body, nil))
	b := o.AppendUint32(nil, kind)
	b = o.AppendUint32(b, uint32(len(inside)+12))
	b = append(b, inside...)
	return o.AppendUint32(b, uint32(len(inside)+12))
}

func pad(b []byte) []byte {
	return append(b, make([]byte, -len(b)&3)...)
}

func (o ng) u16(v ...uint16) []byte {
	var b []byte
	for _, v := range v {
		b = o.AppendUint16(b, v)
	}
	return b
}

func (o ng) u32(v ...uint32) []byte {
	var b []byte
	for _, v := range v {
		b = o.AppendUint32(b, v)
	}
	return b
}

func (o ng) section() []byte {
	return o.block(0x0a0d0d0a, o.u32(0x1a2b3c4d), o.u16(1, 0), o.AppendUint64(nil, ^uint64(0)))
}

func (o ng) device(link uint16, snap uint32, options ...[]byte) []byte {
	return o.block(1, o.u16(link, 0), o.u32(snap), bytes.Join(options, nil))
}

func (o ng) option(code uint16, value string) []byte {
	return pad(append(o.u16(code, uint16(len(value))), value...))
}

func (o ng) enhanced(id uint32, stamp uint64, data string, options ...[]byte) []byte {
	n := uint32(len(data))
	return o.block(6, o.u32(id, uint32(stamp>>32), uint32(stamp), n, n), pad([]byte(data)), bytes.Join(options, nil))
}

func (o ng) old(id uint16, stamp uint64, data string, options ...[]byte) []byte {
	n := uint32(len(data))
	return o.block(2, o.u16(id, 0xffff), o.u32(uint32(stamp>>32), uint32(stamp), n, n), pad([]byte(data)), bytes.Join(options, nil))
}

func (o ng) simple(length uint32, data string) []byte {
	return o.block(3, o.u32(length), []byte(data))
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func gz(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	write(w, b)
	w.Close()
	return out.Bytes()
}

// gzNamed compresses like gz, with a file name in the header.
func gzNamed(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Name = "capture.pcap"
	write(w, b)
	w.Close()
	return out.Bytes()
}

func zst(b []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithWindowSize(1<<20))
	if err != nil {
		panic(err)
	}
	defer w.Close()
	return w.EncodeAll(b, nil)
}

// readAll reads to the end and copies the data. At a clean end the error is nil.
func readAll(s capture.Source) ([]capture.Packet, error) {
	var all []capture.Packet
	for {
		var p capture.Packet
		switch err := s.Next(&p); err {
		case nil:
			p.Data = bytes.Clone(p.Data)
			all = append(all, p)
		case io.EOF:
			return all, nil
		default:
			return all, err
		}
	}
}

// readFrom opens a capture and reads it to the end. It returns the error of either step.
func readFrom(r io.Reader) ([]capture.Packet, error) {
	f, err := capture.NewReader(r, "test")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f)
}

func read(b []byte) ([]capture.Packet, error) { return readFrom(bytes.NewReader(b)) }

func open(t testing.TB, b []byte) *capture.File {
	t.Helper()
	f, err := capture.NewReader(bytes.NewReader(b), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// fault returns err as an *Error, or the zero Error.
func fault(err error) capture.Error {
	if e, ok := errors.AsType[*capture.Error](err); ok {
		return *e
	}
	return capture.Error{}
}

// write writes to a writer that never fails.
func write(w io.Writer, b []byte) {
	if _, err := w.Write(b); err != nil {
		panic(err)
	}
}
