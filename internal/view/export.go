package view

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/anonymize"
)

// Note is a user's comment on a row.
type Note struct {
	Row  int    `json:"row"`
	Text string `json:"text"`
}

type exportRequest struct {
	Filter string `json:"filter"`
	Notes  []Note `json:"notes"`
	Next   int    `json:"next"`

	// Anonymize replaces names, texts and addresses. It also omits notes, because they may contain names.
	Anonymize bool `json:"anonymize"`
	MS        *int `json:"ms"`
}

type exportAnswer struct {
	Done bool   `json:"done"`
	Next int    `json:"next"`
	Data []byte `json:"data"` // in JSON, base64

	Dropped int64 `json:"dropped"` // packets that could not be anonymized
}

type exportJob struct {
	filter string
	notes  []Note
	upTo   int // last packet to write: the last one read before the job began

	files    *files
	frames   frames // packets to write; nil if not yet known
	comments map[int][]string
	masker   *anonymize.Anonymizer
	learning bool // masker is reading the packets for the first time
	from     capture.Source
	number   int // number of the current packet
	to       *capture.Writer
	out      bytes.Buffer // bytes written but not yet returned
	sent     int          // bytes returned so far
	done     bool
}

const maxPiece = 1 << 20 // approximate bytes of an answer

// exports writes captures, one at a time.
type exports struct {
	filters *filters
	options *Options
	job     *exportJob // nil if no job is running
}

// export returns the next piece of a pcapng file. If "next" is 0, a new job begins.
func (e *exports) export(q *exportRequest) (*exportAnswer, error) {
	x := e.filters.rows
	if x.maskSecrets && !q.Anonymize {
		return nil, errors.New("passwords and tokens are masked here, but the packets would contain them: " +
			"choose to replace " +
			"names and chat, or use gamedissect report --mask-secrets")
	}
	j := e.job
	if j == nil || j.filter != q.Filter || !slices.Equal(j.notes, q.Notes) || q.Next == 0 && j.sent > 0 ||
		q.Anonymize != (j.masker != nil) {
		e.end()
		j = &exportJob{filter: q.Filter, notes: q.Notes, upTo: int(x.packets)}
		if e.job = j; q.Anonymize {
			j.masker, j.learning = e.masker(), true
		}
	}
	if q.Next != j.sent {
		return nil, errors.New("this is not where the last piece ended: begin again with \"next\": 0")
	}
	l := newLimit(q.MS)
	a := &exportAnswer{Next: j.sent}
	if j.frames == nil {
		f, err := e.filters.advanced(j.filter, l)
		if err != nil || !f.done() {
			return a, err
		}
		if err := j.begin(f); err != nil {
			return nil, err
		}
	}
	if err := j.advance(l); err != nil {
		e.end()
		return nil, err
	}
	if a.Data, a.Done = bytes.Clone(j.out.Bytes()), j.done; j.masker != nil {
		a.Dropped = j.masker.Report().Dropped
	}
	j.sent += j.out.Len()
	j.out.Reset()
	a.Next = j.sent
	if j.done {
		e.end()
	}
	return a, nil
}

// begin opens the files again to copy the packets that carry a filter's rows.
func (j *exportJob) begin(f *filterJob) error {
	x := f.rows
	j.frames = carrying(f)
	j.comments = make(map[int][]string)
	for _, n := range j.notes {
		if n.Row < 0 || n.Row >= x.len() {
			return fmt.Errorf("the note on message %d is about another capture: there is no such row", n.Row)
		}
		if frame := int(x.row(n.Row).frame); j.masker == nil {
			j.comments[frame] = append(j.comments[frame], n.Text)
		}
	}
	var err error
	j.files = x.files
	if _, j.from, err = x.files.open(); err != nil {
		return err
	}
	j.to, err = capture.NewWriter(&j.out, "export.pcapng", capture.WriterOptions{Application: "gamedissect"})
	return err
}

// advance writes packets until it has a piece, the time is up, or all packets are written.
func (j *exportJob) advance(l limit) error {
	var p capture.Packet
	for j.out.Len() < maxPiece {
		err := j.from.Next(&p)
		j.number++
		if err != nil || j.number > j.upTo { // reading the capture has already reported the error
			if j.learning {
				return j.again()
			}
			j.done = true
			return j.to.Close()
		}
		if err := j.packet(&p); err != nil {
			return err
		}
		if l.over() {
			break
		}
	}
	return j.to.Flush()
}

// again starts the second reading, after masker has learned from all packets.
func (j *exportJob) again() (err error) {
	_ = j.from.Close() // close errors do not matter for input
	j.learning, j.number = false, 0
	if err := j.masker.Learned(); err != nil {
		return err
	}
	_, j.from, err = j.files.open()
	return err
}

// packet learns from a packet or writes it.
func (j *exportJob) packet(p *capture.Packet) error {
	if j.learning {
		return j.masker.Learn(frameOf(p, j.number))
	}
	if j.masker != nil {
		f := frameOf(p, j.number)
		if !j.masker.Rewrite(f) {
			return nil
		}
		p.Data, p.Length, p.Comments, p.File = f.Data, f.Length, nil, "" // comments and the file name may identify people
	}
	if !j.frames.has(j.number) {
		return nil
	}
	err := j.to.Write(p, j.comments[j.number]...)
	if errors.Is(err, fs.ErrInvalid) { // pcapng cannot contain this packet, so it is omitted
		return nil
	}
	return err
}

// masker returns a masker for names, texts and addresses. Each job uses new replacements.
func (e *exports) masker() *anonymize.Anonymizer {
	return anonymize.New(anonymize.Options{
		Protocols: e.options.Protocols, Dialect: e.options.Dialect, DecodeAs: e.options.DecodeAs,
		Memory: e.options.Memory, Key: []byte(rand.Text()),
	})
}

func (e *exports) end() {
	if j := e.job; j != nil && j.from != nil {
		_ = j.from.Close() // close errors do not matter for input
	}
	e.job = nil
}

// A frames is a set of packet numbers, with one bit for each number.
type frames []uint64

func (f frames) add(list ...uint32) {
	for _, n := range list {
		if i := int(n / 64); i < len(f) {
			f[i] |= 1 << (n % 64)
		}
	}
}

func (f frames) has(n int) bool { return n >= 0 && n/64 < len(f) && f[n/64]&(1<<(n%64)) != 0 }

// carrying returns the packets that carry a job's rows. For each TCP connection, it adds the first packets of the
// connection and the packets of the two messages before each row. Without these, an engine cannot recognise a message
// after a gap.
func carrying(j *filterJob) frames {
	x := j.rows
	all := make(frames, x.packets/64+1)
	if j.filter == nil {
		return slices.Repeat(frames{1<<64 - 1}, len(all))
	}
	before := make([][2]uint32, len(x.ends))
	matches := j.matches
	for n := 0; len(matches) > 0; n++ {
		r := x.row(n)
		at := x.contexts[r.context].ends
		two := &before[at]
		if int(matches[0]) == n {
			matches = matches[1:]
			all.add(append(x.carriers.of(n), r.frame)...)
			if e := &x.ends[at]; e.transport == wire.TCP {
				all.add(x.beginning(e)...)
				all.add(two[:]...)
			}
		}
		if r.flags&isFinding == 0 && two[1] != r.frame {
			*two = [2]uint32{two[1], r.frame}
		}
	}
	return all
}
