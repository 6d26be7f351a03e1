package view

import (
	"fmt"
	"strings"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/other"
)

// others are the packets that belong to no game. They have no rows, so the files are read again to list these packets.
type others struct {
	rows   *rows
	counts *counts
	set    frames
	job    *othersJob // nil if no job has begun
}

// add adds a packet by its number. It may be called long after the packet was read, when it is certain that no game
// uses the packet.
func (o *others) add(serial int64) {
	for int64(len(o.set)) <= serial/64 {
		o.set = append(o.set, 0)
	}
	o.set.add(uint32(serial))
}

// Other is a packet that belongs to no game.
type Other struct {
	Frame     int     `json:"frame"`
	Time      float64 `json:"time"`
	Src       string  `json:"src,omitempty"` // without a port if the protocol has no ports
	Dst       string  `json:"dst,omitempty"`
	Transport string  `json:"transport"`
	Port      uint16  `json:"port,omitempty"`
	Service   string  `json:"service,omitempty"`
	Length    int     `json:"length"`         // on the wire, in bytes
	Data      []byte  `json:"data,omitempty"` // the packet's first bytes; omitted if secrets are masked
}

const (
	maxOthers  = 5000 // packets per answer
	firstBytes = 48
)

type othersRequest struct {
	Filter string `json:"filter"`
	MS     *int   `json:"ms"`
}

// An OtherKind counts the packets of one kind in the same way as -z other.
type OtherKind struct {
	What    string `json:"what"` // "UDP", "ARP"
	In      string `json:"in,omitempty"`
	Port    uint16 `json:"port,omitempty"`
	Service string `json:"service,omitempty"`
	Packets int64  `json:"packets"`
	Bytes   int64  `json:"bytes"` // size on the wire
	First   int    `json:"first"`
	Filter  string `json:"filter,omitempty"` // matches these packets; "" if several kinds are counted together
}

type othersAnswer struct {
	Done    bool        `json:"done"`
	Kinds   []OtherKind `json:"kinds"`
	Packets []Other     `json:"packets"` // the first packets that match
	Matches int         `json:"matches"`
}

// othersJob finds the packets that match a filter.
type othersJob struct {
	text    string
	filter  *filter.Filter // nil: all packets match
	history *filter.History
	from    capture.Source
	number  int
	othersAnswer
}

// list lists packets that belong to no game. These are known only after the whole capture has been read.
func (o *others) list(q *othersRequest) (*othersAnswer, error) {
	if !o.counts.whole {
		return &othersAnswer{Kinds: []OtherKind{}, Packets: []Other{}}, nil
	}
	if o.job == nil || o.job.text != q.Filter {
		j, err := o.begin(q.Filter)
		if err != nil {
			return nil, err
		}
		o.end()
		o.job = j
	}
	j := o.job
	j.advance(o, newLimit(q.MS))
	if j.Done {
		return &j.othersAnswer, nil
	}
	return &othersAnswer{Kinds: []OtherKind{}, Packets: []Other{}, Matches: j.Matches}, nil
}

// kinds lists the kinds of packets, starting with the most frequent one.
func (o *others) kinds() []OtherKind {
	list := []OtherKind{}
	for i := range o.counts.stats.Others {
		k := &o.counts.stats.Others[i]
		one := OtherKind{What: k.Name, In: k.Layer, Port: k.Port, Service: other.Service(k.Port), Packets: k.Packets,
			Bytes: k.Bytes, First: k.Frame}
		transport, fragments := strings.CutSuffix(strings.ToLower(k.Name), " fragments")
		one.Filter = "other.transport == " + filter.Quote([]byte(transport))
		switch {
		case k.Kinds > 0:
			one = OtherKind{What: "others", Packets: k.Packets, Bytes: k.Bytes, First: k.Frame}
		case fragments:
			one.Filter += " && !other.port"
		case k.Port > 0:
			one.Filter += fmt.Sprintf(" && %s.port == %d", transport, k.Port)
		}
		list = append(list, one)
	}
	return list
}

func (o *others) begin(text string) (j *othersJob, err error) {
	j = &othersJob{text: text, history: filter.NewHistory(nil)}
	j.Kinds, j.Packets = o.kinds(), []Other{}
	j.history.Packet(o.rows.first)
	if strings.TrimSpace(text) != "" {
		if j.filter, err = compileIn(filter.NewMessageSchema([]*wire.Protocol{other.Protocol}), text); err != nil {
			return nil, err
		}
	}
	_, j.from, err = o.rows.files.open()
	return j, err
}

// end stops the job.
func (o *others) end() {
	if o.job != nil && !o.job.Done {
		_ = o.job.from.Close() // close errors do not matter for input
	}
	o.job = nil
}

func (j *othersJob) advance(o *others, l limit) {
	var p capture.Packet
	for !j.Done && !l.over() {
		if err := j.from.Next(&p); err != nil { // reading the capture has already reported the error
			_ = j.from.Close() // close errors do not matter for input
			j.Done = true
			break
		}
		if j.number++; !o.set.has(j.number) {
			continue
		}
		m := other.Message(frameOf(&p, j.number))
		if j.filter != nil && !j.filter.Match(j.history.Message(m)) {
			continue
		}
		if j.Matches++; len(j.Packets) < maxOthers {
			j.Packets = append(j.Packets, o.rows.otherOf(m))
		}
	}
}

func (x *rows) otherOf(m *decode.Message) Other {
	l := m.Layer.(*other.Layer)
	one := Other{Frame: m.Frame, Time: x.seconds(m.Time), Transport: l.Transport, Port: l.Port, Service: l.Service,
		Length: m.Length}
	one.Src, one.Dst = endpoint(m.Src), endpoint(m.Dst)
	if m.Src.IsValid() && m.Transport == wire.NoTransport {
		one.Src, one.Dst = m.Src.Addr().String(), m.Dst.Addr().String()
	}
	if !x.maskSecrets {
		one.Data = append(one.Data, l.Bytes[:min(len(l.Bytes), firstBytes)]...)
	}
	return one
}

// frameOf returns a packet in the form that the engine accepts.
func frameOf(p *capture.Packet, number int) *decode.Frame {
	return &decode.Frame{
		Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: number, File: p.File,
	}
}
