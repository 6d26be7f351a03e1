package bzflag24

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// maxPending is how many findings about a connection wait at a time.
const maxPending = 256

// postpone postpones a finding about the current message.
func (e *event) postpone(f bzflag.PendingFinding) *bzflag.Outcome {
	f.Wait = overdue
	return e.pending.Add(&e.connection.outcomes, e.place, f)
}

// setView gives a connection another view. Pending findings that rest on the old one are dropped.
func (c *connection) setView(v *view) {
	c.outcomes.Settle(func(o *bzflag.Outcome) bool { return o.Rests != nil && o.Rests != v })
	c.view = v
}
