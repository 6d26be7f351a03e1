package plainhttp

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// The steps of a fetch.
const (
	stepRequest uint8 = iota
	stepAnswer
)

// Awaits is the name of what a fetch waits for.
const Awaits = "answer to its request"

// NewFetch returns the kind of attempts to fetch pages, for clients that wait this long.
func NewFetch(patience time.Duration) *wire.AttemptKind {
	return &wire.AttemptKind{Name: "requests", Noun: "request", Goal: stepAnswer, Hidden: true,
		Steps: []wire.AttemptStep{
			{Name: "request", Turn: wire.Asked, Patience: patience, Awaits: Awaits},
			{Name: "answer"},
		}}
}

// Begin begins a fetch.
func Begin(x *attempt.Attempt, p *wire.Place) { x.Try(p, stepRequest) }

// gaveUp is the minimum time that a client waits for an answer before it gives up and closes the connection.
const gaveUp = time.Second

// Closing handles the closing of a connection on which an attempt may wait for the answer to a request. The request is
// the first step of the attempt. awaits names the answer.
func Closing(x *attempt.Attempt, p *wire.Place, byServer bool, awaits string) {
	switch {
	case !x.Awaits(stepRequest) || p.Lossy:
	case byServer:
		x.Note("without an answer")
	case x.Since(p, stepRequest) >= gaveUp && x.Outcome() == wire.Open:
		x.Fail(p, wire.Asked, "no "+awaits, "")
	}
}

// Decide sets the outcome of a fetch when its answer comes. problem says what is wrong with the content. It is "" if
// nothing is.
func Decide(x *attempt.Attempt, p *wire.Place, a *Asked, core *wire.Base, r *Response, problem string) {
	if r.Status/100 == 1 { // not the final answer
		return
	}
	if cause, detail := Failure(a, r); cause != "" {
		x.Refuse(p, wire.Asked, cause, detail)
		x.End(p)
		return
	}
	switch c := r.cut(a); {
	case core.Fault() != nil || core.Truncated() || p.Lossy:
		x.Doubt(p, "the capture lacks bytes of the answer")
		x.End(p)
	case c != "":
		x.Fail(p, wire.Asked, "the answer is cut", c)
		x.End(p)
	case problem != "":
		x.Fail(p, wire.Asked, "the answer cannot be read", problem)
		x.End(p)
	default:
		x.Succeed(p)
	}
}

// Failure returns the reason why an answer refuses a request, or "". It also returns what was requested.
func Failure(a *Asked, r *Response) (cause, what string) {
	if r.Status < 300 || r.Status == 304 && a.Conditional {
		return "", ""
	}
	return r.StatusText(), a.What
}

// cut returns what is missing from the body of an answer, or "".
func (r *Response) cut(a *Asked) string {
	if a.Head || r.Status == 204 || r.Status == 304 {
		return ""
	}
	return r.Content(0).Cut
}
