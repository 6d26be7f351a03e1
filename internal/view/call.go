package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// An operation answers a request.
type operation func(v *View, request []byte) (any, error)

// answers makes an operation of a function that takes a request of its own kind.
func answers[Q, A any](f func(*View, *Q) (A, error)) operation {
	return func(v *View, request []byte) (any, error) {
		var q Q
		if err := parse(request, &q); err != nil {
			return nil, err
		}
		return f(v, &q)
	}
}

// operations are what Call knows.
var operations map[string]operation

func init() { // else they would name each other in a circle
	operations = map[string]operation{
		"state":    answers(func(v *View, _ *struct{}) (State, error) { return v.State(), nil }),
		"step":     answers((*View).step),
		"rows":     answers((*View).rows),
		"next":     answers((*View).next),
		"detail":   answers((*View).detail),
		"filter":   answers((*View).filter),
		"complete": answers((*View).complete),
		"fields":   answers((*View).fields),
		"findings": answers((*View).findings),
		"sequence": answers((*View).sequence),
		"timeline": answers((*View).timeline),
		"rates":    answers((*View).rates),
		"measured": answers((*View).measured),
		"plot":     answers((*View).plot),
		"stats":    answers((*View).tables),
		"summary":  answers((*View).summary),
		"worlds":   answers((*View).worlds),
		"world":    answers((*View).world),
		"paths":    answers((*View).paths),
		"export":   answers((*View).export),
	}
}

// maxRequest is how many bytes a request may have.
const maxRequest = 64 << 10

// errNoJSON is the error of a request whose answer has a number that JSON has not.
var errNoJSON = errors.New("the answer cannot be written")

// Call answers a request, see the comment of the package. What goes wrong is an answer as well.
func (v *View) Call(op string, request []byte) []byte {
	o, ok := operations[op]
	if !ok {
		return Failed(errors.New("no such operation: " + strconv.Quote(op[:min(len(op), 64)])))
	}
	answer, err := o(v, request)
	if err != nil {
		return v.failed(err)
	}
	b, err := json.Marshal(answer)
	if err != nil {
		return Failed(errNoJSON)
	}
	return b
}

func parse(request []byte, q any) error {
	if len(request) > maxRequest {
		return errors.New("the request is too long")
	}
	if len(bytes.TrimSpace(request)) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(request))
	d.DisallowUnknownFields()
	if err := d.Decode(q); err != nil {
		return errors.New("not a good request: " + strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("not a good request: something follows it")
	}
	return nil
}

// failure is what went wrong.
type failure struct {
	Text   string   `json:"text"`
	Offset *int     `json:"offset,omitempty"`
	Size   int      `json:"size,omitempty"`
	Meant  []string `json:"meant,omitempty"`
	Mended []string `json:"mended,omitempty"` // the whole filter with each of those
}

// Failed is an answer that says what went wrong.
func Failed(err error) []byte { return failure{Text: plain(err.Error())}.answer() }

// failed is such an answer, with proposals for how to mend a filter.
func (v *View) failed(err error) []byte {
	bad, ok := errors.AsType[*filter.Error](err)
	if !ok {
		return Failed(err)
	}
	meant := likelyFirst(v, bad.Nearest, func(name string) string { return name })
	meant = meant[:min(len(meant), maxProposals)]
	return failure{plain(bad.Reason), &bad.Off, bad.Size, meant, v.mended(bad, meant)}.answer()
}

func (f failure) answer() []byte {
	b, _ := json.Marshal(map[string]failure{"error": f})
	return b
}

// A limit says when work that takes long is to pause.
type limit struct {
	until time.Time
	count int
}

const (
	usualPause = 30     // milliseconds
	longest    = 10_000 // milliseconds
	looks      = 16     // pieces of work between two looks at the clock
)

func newLimit(ms *int) limit {
	n := usualPause
	if ms != nil {
		n = min(max(*ms, 0), longest)
	}
	return limit{until: time.Now().Add(time.Duration(n) * time.Millisecond)}
}

// over reports whether it is time to pause. It is asked after each piece of work.
func (l *limit) over() bool {
	l.count++
	return l.count%looks == 0 && !time.Now().Before(l.until)
}

// stepRequest says how far to read on.
type stepRequest struct {
	Bytes int64 `json:"bytes"`
	MS    *int  `json:"ms"`
}

func (v *View) step(q *stepRequest) (State, error) {
	if q.Bytes <= 0 {
		q.Bytes = 4 << 20
	}
	l := newLimit(q.MS)
	v.Step(q.Bytes, time.Until(l.until))
	return v.State(), nil
}

// cut gives the part of n things that a request asks for: at most limit, and usual unless it says how many.
func cut(n, from, count, usual, limit int) (int, int) {
	if count <= 0 {
		count = usual
	}
	from = min(max(from, 0), n)
	return from, from + min(count, limit, n-from)
}
