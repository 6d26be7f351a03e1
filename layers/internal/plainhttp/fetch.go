package plainhttp

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// A fetch is an attempt to get a page over HTTP. These are its steps.
const (
	stepRequest uint8 = iota
	stepAnswer
)

// Awaits names what a fetch waits for.
const Awaits = "answer to its request"

// NewFetch returns the AttemptKind of fetches. patience is how long clients wait for an answer.
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

// Closing handles the end of a connection. x is an attempt whose first step is an HTTP request on the connection, or
// nil. If x still waits for the answer, Closing records why the answer is missing. awaits names the answer.
func Closing(x *attempt.Attempt, p *wire.Place, byServer bool, awaits string) {
	switch {
	case !x.Awaits(stepRequest) || p.Lossy:
	case byServer:
		x.Note("without an answer")
	case x.Since(p, stepRequest) >= gaveUp && x.Outcome() == wire.Open:
		x.Fail(p, wire.Asked, "no "+awaits, "")
	}
}

// Decide sets the outcome of a fetch when its answer comes. problem says what is wrong with the content, or is "".
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

// Failure returns why an answer refuses a request, and what was requested. Both are "" if the answer does not refuse
// the request.
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
