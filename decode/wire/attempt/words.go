package attempt

import (
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	justBefore = int64(2 * time.Second)        // how long before a removal its reason is said,
	atOnce     = int64(100 * time.Millisecond) // in lines that follow each other within
	maxSaid    = 300                           // maximum bytes of a reason
)

// Say records what the asked end says to this asker alone. It is the reason of what the asked end does right after.
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

// Command records that the asker gives a command. The words that answer it are no reason of later acts of the asked
// end.
func (x *Attempt) Command(p *wire.Place) {
	if x != nil {
		x.text().commanded = clock.At(p.Time)
	}
}

// reason returns what the asked end said just before a moment.
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
