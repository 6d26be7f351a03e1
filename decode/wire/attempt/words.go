package attempt

import (
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	justBefore = int64(2 * time.Second)        // maximum time between a reason and the removal
	atOnce     = int64(100 * time.Millisecond) // maximum time between two lines of a reason
	maxSaid    = 300                           // maximum size of a reason in bytes
)

// Say records a text that the server sends only to this asker. If the server then removes the asker or closes the
// connection, the text counts as the reason.
func (x *Attempt) Say(p *wire.Place, text string) {
	if x == nil {
		return
	}
	t := x.text()
	if t.said != "" && clock.Elapsed(t.saidAt, p.Time) <= atOnce {
		text = t.said + " " + text
	} else {
		t.reply = t.commanded.Known() && clock.Elapsed(t.commanded.When(), p.Time) <= justBefore
		t.commanded = clock.Moment{}
	}
	t.said, t.saidAt = strings.ToValidUTF8(text[max(0, len(text)-maxSaid):], ""), p.Time
}

// Command records that the asker sends a command. A text that answers the command is not the reason for what the server
// does later.
func (x *Attempt) Command(p *wire.Place) {
	if x != nil {
		x.text().commanded = clock.At(p.Time)
	}
}

// reason returns what the server said just before a given time.
func (x *Attempt) reason(now int64) string {
	t, within := x.texts, justBefore
	if t != nil && t.reply {
		within = atOnce
	}
	if t != nil && t.said != "" && clock.Elapsed(t.saidAt, now) <= within {
		return t.said
	}
	return ""
}
