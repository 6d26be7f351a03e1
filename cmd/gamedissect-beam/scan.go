package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/cmd/gamedissect-beam/split"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/layers"
)

// A File is the result of the first pass over a capture file.
type File struct {
	Path    string
	Sensor  string
	Packets int64
	First   int64 // time of the first packet, nanoseconds since 1970
	Last    int64 // time of the last packet
	Newest  int64 // latest time of all packets

	Trouble string // reason why the file could not be read, or not to its end
	Cut     bool   // the file ends inside a record
	SameAs  string // for a copy: path of the file that is read instead

	// These are fields of the file's split.Sketch.
	Seen      []byte
	Everybody bool

	// Owner is the shard that processes the packets of the file that belong to no component. It also reports the file's
	// errors.
	Owner int32
}

// scanFn reads a file for the first time.
type scanFn struct {
	Sensor string

	sensor *regexp.Regexp
}

// Setup compiles Sensor.
func (f *scanFn) Setup() (err error) {
	f.sensor, err = regexp.Compile(f.Sensor)
	return err
}

// ProcessElement emits the File with its sensor and content as the key, and the file's sketch with the sensor as the
// key.
func (f *scanFn) ProcessElement(
	ctx context.Context, path string, file func(string, File), sketch func(string, split.Sketch),
) error {
	scanned := File{Path: path}
	var ok bool
	if scanned.Sensor, ok = f.sensorOf(path); !ok {
		scanned.Trouble = fmt.Sprintf("the path does not match --sensor %q", f.Sensor)
		file("path "+path, scanned)
		return nil
	}
	content := sha256.New()
	sketcher := split.NewSketcher(layers.All(), nil)
	in, err := openCapture(ctx, path)
	if err == nil {
		err = scanned.scan(in, content, sketcher)
		err = errors.Join(err, in.Close())
	}
	if err != nil {
		scanned.Trouble = err.Error()
		if bad, ok := errors.AsType[*capture.Error](err); ok {
			scanned.Cut, scanned.Trouble = bad.Truncated, bad.Reason
		}
	}
	filesScanned.Inc(ctx, 1)
	packetsScanned.Inc(ctx, scanned.Packets)
	if scanned.Packets == 0 {
		file("path "+path, scanned) // empty files are not copies of each other
		return nil
	}
	k := sketcher.Sketch()
	scanned.Seen, scanned.Everybody = k.Seen, k.Everybody
	k.Seen = nil
	file(scanned.Sensor+" "+hex.EncodeToString(content.Sum(nil)), scanned)
	sketch(scanned.Sensor, *k)
	return nil
}

// sensorOf finds the sensor in a path. It is the first group of the pattern or, if the pattern has no groups, the whole
// match.
func (f *scanFn) sensorOf(path string) (string, bool) {
	found := f.sensor.FindStringSubmatch(path)
	if found == nil {
		return "", false
	}
	sensor := found[min(1, len(found)-1)]
	return sensor, sensor != "" || f.Sensor == ""
}

// scan reads all packets.
func (t *File) scan(in *input, content hash.Hash, sketcher *split.Sketcher) error {
	var p capture.Packet
	var head []byte
	t.Newest = math.MinInt64
	for {
		if err := in.Next(&p); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		if t.Packets == 0 {
			t.First = p.Time
		}
		t.Packets++
		t.Last, t.Newest = p.Time, max(t.Newest, p.Time)
		head = binary.AppendVarint(head[:0], p.Time)
		for _, n := range [...]int{int(p.LinkType), p.Length, len(p.Data)} {
			head = binary.AppendUvarint(head, uint64(n))
		}
		content.Write(head)
		content.Write(p.Data)
		f := frameOf(&p)
		sketcher.Frame(&f)
	}
}

func frameOf(p *capture.Packet) decode.Frame {
	return decode.Frame{
		Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number, File: p.File,
	}
}

// input is a capture file in one of Beam's filesystems.
type input struct {
	*capture.File
	from io.Closer
	fs   io.Closer
}

// openCapture opens a file.
func openCapture(ctx context.Context, path string) (*input, error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, err
	}
	from, err := fs.OpenRead(ctx, path)
	if err != nil {
		return nil, errors.Join(err, fs.Close())
	}
	in, err := capture.NewReader(from, path)
	if err != nil {
		_, _ = from.Close(), fs.Close() // harmless: the file was only read
		return nil, err
	}
	return &input{in, from, fs}, nil
}

// Close ends reading.
func (in *input) Close() error { return errors.Join(in.File.Close(), in.from.Close(), in.fs.Close()) }

// onceByContent receives a sensor's files that have the same packets. It emits one of them to first, if possible one
// that could be read to its end, and the others to copies. The file format does not matter, because an archive may have
// a file and a compressed copy of it.
func onceByContent(_ string, files func(*File) bool, first func(string, File), copies func(File)) {
	var all []File
	for f := (File{}); files(&f); f = (File{}) {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b File) int {
		if (a.Trouble == "") != (b.Trouble == "") {
			return len(a.Trouble) - len(b.Trouble)
		}
		return strings.Compare(a.Path, b.Path)
	})
	first(all[0].Sensor, all[0])
	for _, f := range all[1:] {
		if f.Path != all[0].Path { // several patterns may match the same file
			f.SameAs, f.Seen = all[0].Path, nil
			copies(f)
		}
	}
}
