package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/gamedissect/gamedissect/capture"
)

func init() {
	register.DoFn5x1[context.Context, string, File, func(string) func(*Routes) bool, func(string, []byte),
		error](&sendFn{})
}

const (
	batchBytes = 256 << 10 // a batch of this size is sent
	maxUnsent  = 64 << 20  // bytes of all batches that are not full
)

// sendFn reads a file that is slow to unpack once for all shards, and sends each shard its packets. It sends batches,
// since sending a single packet costs more than dissecting it.
type sendFn struct {
	router
}

// ProcessElement emits the batches of a file by the key of their shard.
func (f *sendFn) ProcessElement(
	ctx context.Context, sensor string, file File, routes func(string) func(*Routes) bool, emit func(string, []byte),
) error {
	if err := f.open(sensor, routes); err != nil {
		return err
	}
	r := &rereading{ctx: ctx, file: &file}
	defer func() { _ = r.Close() }() // it was only read
	b := &batcher{file: &file, waiting: make(map[int][]byte), emit: func(shard int, batch []byte) {
		emit(shardKey(sensor, shard), batch)
	}}
	var p capture.Packet
	for {
		err := r.next(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		frame := frameOf(&p)
		shard := f.of(&frame)
		if shard < 0 {
			shard = int(file.Owner)
		}
		b.put(shard, &p)
	}
	b.flush()
	return nil
}

// A batcher fills batches for shards.
type batcher struct {
	file    *File
	waiting map[int][]byte // by shard
	held    int
	emit    func(shard int, batch []byte)
}

// put adds a packet.
func (b *batcher) put(shard int, p *capture.Packet) {
	batch := b.waiting[shard]
	before := len(batch)
	if before == 0 {
		batch = appendBytes(batch, []byte(b.file.Path))
		batch = binary.AppendUvarint(batch, uint64(p.Number)) // which is their order
	}
	batch = binary.AppendVarint(batch, p.Time)
	for _, n := range [...]int{p.Number, int(p.LinkType), p.Length} {
		batch = binary.AppendUvarint(batch, uint64(n))
	}
	batch = appendBytes(batch, p.Data)
	b.waiting[shard] = batch
	b.held += len(batch) - before
	if len(batch) >= batchBytes {
		b.send(shard)
	} else if b.held > maxUnsent {
		b.flush()
	}
}

func (b *batcher) send(shard int) {
	b.emit(shard, b.waiting[shard])
	b.held -= len(b.waiting[shard])
	delete(b.waiting, shard)
}

// flush sends all batches.
func (b *batcher) flush() {
	for shard := range b.waiting {
		b.send(shard)
	}
}

func appendBytes(to, b []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(b))), b...)
}

// A batch is a run of packets of a file, as received.
type batch struct {
	path  string
	order uint64
	rest  []byte
}

var errBatch = errors.New("a batch of packets is not as it was sent")

func openBatch(b []byte) (batch, error) {
	path, rest, err := cutBytes(b)
	if err != nil {
		return batch{}, err
	}
	order, n := binary.Uvarint(rest)
	if n <= 0 {
		return batch{}, errBatch
	}
	return batch{string(path), order, rest[n:]}, nil
}

func cutBytes(b []byte) (cut, rest []byte, err error) {
	size, n := binary.Uvarint(b)
	if n <= 0 || size > uint64(len(b)-n) {
		return nil, nil, errBatch
	}
	b = b[n:]
	return b[:size:size], b[size:], nil
}

// received is the stream of the packets of a file that were sent.
type received struct {
	path    string
	batches []batch
}

func (r *received) next(p *capture.Packet) error {
	for len(r.batches) > 0 && len(r.batches[0].rest) == 0 {
		r.batches = r.batches[1:]
	}
	if len(r.batches) == 0 {
		return io.EOF
	}
	b := &r.batches[0]
	time, n := binary.Varint(b.rest)
	if n <= 0 {
		return errBatch
	}
	b.rest = b.rest[n:]
	var numbers [3]uint64
	for i := range numbers {
		if numbers[i], n = binary.Uvarint(b.rest); n <= 0 {
			return errBatch
		}
		b.rest = b.rest[n:]
	}
	data, rest, err := cutBytes(b.rest)
	if err != nil {
		return err
	}
	b.rest = rest
	*p = capture.Packet{
		Data: data, Time: time, Number: int(numbers[0]), LinkType: capture.LinkType(numbers[1]), Length: int(numbers[2]),
		File: r.path,
	}
	return nil
}

// Close implements stream.
func (r *received) Close() error { return nil }

// first gives the time of the first packet.
func (r *received) first() (int64, error) {
	time, n := binary.Varint(r.batches[0].rest)
	if n <= 0 {
		return 0, errBatch
	}
	return time, nil
}

// receive makes streams of batches, by the path of their file.
func receive(batches func(*[]byte) bool) (map[string]*received, error) {
	byPath := make(map[string]*received)
	for raw := []byte(nil); batches(&raw); raw = nil {
		b, err := openBatch(bytes.Clone(raw)) // the iterator may use it again
		if err != nil {
			return nil, err
		}
		if byPath[b.path] == nil {
			byPath[b.path] = &received{path: b.path}
		}
		byPath[b.path].batches = append(byPath[b.path].batches, b)
	}
	for path, r := range byPath {
		slices.SortFunc(r.batches, func(a, b batch) int { return cmp.Compare(a.order, b.order) })
		for i := 1; i < len(r.batches); i++ {
			if r.batches[i].order == r.batches[i-1].order {
				return nil, fmt.Errorf("%s: a batch of packets came twice", path)
			}
		}
	}
	return byPath, nil
}
