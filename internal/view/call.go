package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/filter"
)

type operation func(request []byte) (any, error)

// answers makes an operation from a function with its own request type.
func answers[C, Q, A any](c *C, f func(*C, *Q) (A, error)) operation {
	return func(request []byte) (any, error) {
		var q Q
		if err := parse(request, &q); err != nil {
			return nil, err
		}
		return f(c, &q)
	}
}

func (v *View) operations() map[string]operation {
	return map[string]operation{
		"state":    answers(v, func(v *View, _ *struct{}) (State, error) { return v.State(), nil }),
		"step":     answers(v, (*View).step),
		"rows":     answers(&v.filters, listRows),
		"next":     answers(&v.filters, findNext),
		"detail":   answers(&v.filters, describe),
		"filter":   answers(&v.filters, (*filters).filter),
		"complete": answers(&v.filters, (*filters).complete),
		"fields":   answers(&v.filters, (*filters).fields),
		"findings": answers(&v.filters, listFindings),
		"sequence": answers(&v.sequences, (*sequences).sequence),
		"timeline": answers(&v.timeline, (*timeline).timeline),
		"rates":    answers(&v.plots, (*plots).rates),
		"measured": answers(&v.plots, (*plots).measured),
		"plot":     answers(&v.plots, (*plots).plot),
		"stats":    answers(&v.counts, (*counts).tables),
		"summary":  answers(&v.counts, (*counts).summary),
		"worlds":   answers(&v.worlds, (*worlds).worlds),
		"world":    answers(&v.worlds, (*worlds).world),
		"paths":    answers(&v.games, (*games).paths),
		"compare":  answers(v, (*View).compare),
		"others":   answers(&v.others, (*others).list),
		"secrets":  answers(&v.rows, (*rows).secrets),
		"export":   answers(&v.exports, (*exports).export),
	}
}

const maxRequest = 64 << 10 // bytes

// Call answers a request, as the package comment describes. If the request fails, the answer is an error.
func (v *View) Call(op string, request []byte) []byte {
	o, ok := v.operations()[op]
	if !ok {
		return Failed(errors.New("no such operation: " + strconv.Quote(op[:min(len(op), 64)])))
	}
	answer, err := o(request)
	if err != nil {
		return v.failed(err)
	}
	b, err := json.Marshal(answer)
	if err != nil { // JSON cannot represent a number such as NaN
		return Failed(errors.New("the answer cannot be written"))
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
		return errors.New("invalid request: " + strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("invalid request: more text follows it")
	}
	return nil
}

type failure struct {
	Text   string   `json:"text"`
	Offset *int     `json:"offset,omitempty"`
	Size   int      `json:"size,omitempty"`
	Meant  []string `json:"meant,omitempty"`
	Mended []string `json:"mended,omitempty"` // for each text in Meant, the whole filter that contains it
}

// Failed returns an answer that reports an error.
func Failed(err error) []byte { return failure{Text: format.Unquoted(err.Error())}.answer() }

// failed returns an answer that reports an error and, if a filter caused it, the proposed corrections.
func (v *View) failed(err error) []byte {
	bad, ok := errors.AsType[*filter.Error](err)
	if !ok {
		return Failed(err)
	}
	meant := likelyFirst(&v.filters, bad.Nearest, func(name string) string { return name })
	meant = meant[:min(len(meant), maxProposals)]
	return failure{format.Unquoted(bad.Reason), &bad.Off, bad.Size, meant, v.filters.mended(bad, meant)}.answer()
}

func (f failure) answer() []byte {
	b, _ := json.Marshal(map[string]failure{"error": f})
	return b
}

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
