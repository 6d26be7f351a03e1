package view

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
)

// Note is a comment of the user on a row.
type Note struct {
	Row  int    `json:"row"`
	Text string `json:"text"`
}

type exportRequest struct {
	Filter string `json:"filter"`
	Notes  []Note `json:"notes"`
	Next   int    `json:"next"`
	MS     *int   `json:"ms"`
}

type exportAnswer struct {
	Done bool   `json:"done"`
	Next int    `json:"next"`
	Data []byte `json:"data"` // in JSON this is base64
}

// exportJob writes packets again, from call to call.
type exportJob struct {
	filter string
	notes  []Note
	upTo   int // packet: what was read when the job began

	frames   frames // nil: not known yet
	comments map[int][]string
	from     capture.Source
	number   int // of the packet
	to       *capture.Writer
	out      bytes.Buffer // what was not given yet
	given    int          // bytes
	done     bool
}

// maxPiece is about how many bytes of an export one answer has.
const maxPiece = 1 << 20

// export gives the next piece of a pcapng file. With what comes from the beginning it begins anew.
func (v *View) export(q *exportRequest) (*exportAnswer, error) {
	if v.options.MaskSecrets {
		return nil, errors.New("passwords and tokens are masked here, and would be in the packets: gamedissect report " +
			"--mask-secrets and gamedissect anonymize write packets without")
	}
	j := v.jobs.export
	if j == nil || j.filter != q.Filter || !slices.Equal(j.notes, q.Notes) || q.Next == 0 && j.given > 0 {
		v.endExport()
		j = &exportJob{filter: q.Filter, notes: q.Notes, upTo: int(v.packets)}
		v.jobs.export = j
	}
	if q.Next != j.given {
		return nil, errors.New("this is not where the last piece ended: begin again with \"next\": 0")
	}
	l := newLimit(q.MS)
	a := &exportAnswer{Next: j.given}
	if j.frames == nil {
		ready, err := v.choose(j, l)
		if err != nil || !ready {
			return a, err
		}
		if err := v.beginExport(j); err != nil {
			return nil, err
		}
	}
	if err := j.advance(l); err != nil {
		v.endExport()
		return nil, err
	}
	a.Data, a.Done = bytes.Clone(j.out.Bytes()), j.done
	j.given += j.out.Len()
	j.out.Reset()
	a.Next = j.given
	if j.done {
		v.endExport()
	}
	return a, nil
}

// choose finds the packets of an export, or goes on with it.
func (v *View) choose(j *exportJob, l limit) (ready bool, err error) {
	f, err := v.jobFor(j.filter)
	if err == nil {
		err = v.advance(f, l)
	}
	if err != nil || !f.done() {
		return false, err
	}
	j.frames = v.carrying(f)
	return true, nil
}

// beginExport opens the file once more.
func (v *View) beginExport(j *exportJob) error {
	j.comments = make(map[int][]string)
	for _, n := range j.notes {
		if n.Row < 0 || n.Row >= v.index.len() {
			return fmt.Errorf("the note on message %d is about another capture: there is no such row", n.Row)
		}
		frame := int(v.index.row(n.Row).frame)
		j.comments[frame] = append(j.comments[frame], n.Text)
	}
	var err error
	if _, j.from, err = v.files.open(); err != nil {
		return err
	}
	j.to, err = capture.NewWriter(&j.out, "export.pcapng", capture.WriterOptions{Application: "gamedissect"})
	return err
}

// advance writes until there is a piece, the time is over, or all is written.
func (j *exportJob) advance(l limit) error {
	var p capture.Packet
	for j.out.Len() < maxPiece {
		err := j.from.Next(&p)
		j.number++
		if err != nil || j.number > j.upTo { // if there is trouble, reading met it as well, and said so
			j.done = true
			return j.to.Close()
		}
		if j.frames.has(j.number) {
			err := j.to.Write(&p, j.comments[j.number]...)
			if err != nil && !errors.Is(err, fs.ErrInvalid) { // a packet that pcapng cannot hold is left out
				return err
			}
		}
		if l.over() {
			break
		}
	}
	return j.to.Flush()
}

// endExport lets go of an export.
func (v *View) endExport() {
	if j := v.jobs.export; j != nil && j.from != nil {
		_ = j.from.Close() // it was only read
	}
	v.jobs.export = nil
}
