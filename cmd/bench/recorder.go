package main

import (
	"io"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
)

// A recorder writes a pcap file of Ethernet frames up to a size.
type recorder struct {
	pcap    *pcapgo.Writer
	now     time.Time
	pace    time.Duration // between two packets
	limit   int64
	bytes   int64
	packets int64

	captures string // the folder with the real ones
}

const (
	fileHeader   = 24
	recordHeader = 16
	snapLength   = 65535
)

// firstPacket is always the same, as is all of a file.
var firstPacket = time.Date(2001, 5, 1, 12, 0, 0, 0, time.UTC)

func newRecorder(w io.Writer, limit int64) (*recorder, error) {
	r := &recorder{
		pcap: pcapgo.NewWriter(w),
		now:  firstPacket, pace: 100 * time.Microsecond,
		limit: limit, bytes: fileHeader,
	}
	return r, r.pcap.WriteFileHeader(snapLength, layers.LinkTypeEthernet)
}

// full reports whether the file is as large as wanted.
func (r *recorder) full() bool { return r.bytes >= r.limit }

// frame writes a frame.
func (r *recorder) frame(data []byte) error { return r.frameAt(r.now.Add(r.pace), data, len(data)) }

// frameAt writes a frame, or what there is of it, with the time that it is then.
func (r *recorder) frameAt(now time.Time, data []byte, length int) error {
	r.now = now
	r.packets++
	r.bytes += recordHeader + int64(len(data))
	return r.pcap.WritePacket(gopacket.CaptureInfo{Timestamp: now, CaptureLength: len(data), Length: length}, data)
}
