package wiretest

import "github.com/gamedissect/gamedissect/decode/wire"

// checkNext plays a talk with additional packets in between. Before each packet it calls Time, which must not report
// anything before the time that Next returned. The engine calls Time only from that time on, so a report that was due
// before would be late.
func checkNext(t reporter, p *wire.Protocol, k *talk) {
	const others = 16 // packets between two turns
	busy := &talk{names: k.names}
	before := int64(0)
	for _, n := range k.turns {
		for i := range int64(others) {
			if when := before + (n.when-before)/others*i; when > before {
				busy.turns = append(busy.turns, turn{when: when, what: "wait"})
			}
		}
		busy.turns = append(busy.turns, n)
		before = max(before, n.when)
	}
	y := newPlayer(busy, p)
	first := &counter{reporter: t}
	y.tracker = &punctual{y.tracker, y, first}
	y.show(busy.turns)
}

// punctual is a tracker that checks the results of its Next.
type punctual struct {
	wire.Tracker
	player *player
	t      *counter
}

func (u *punctual) Ended(p *wire.Place) { u.Tracker.(wire.Ender).Ended(p) }

func (u *punctual) Time(now int64) {
	due, start := u.Next(), len(u.player.output)
	u.Tracker.Time(now)
	if u.t.failures > 0 {
		return
	}
	if found := u.player.output[start:]; len(found) > 0 && now < due {
		u.t.Errorf("at %.3f s Time reports something, although Next returned %.3f s:\n%s", seconds(now), seconds(due), found)
	}
	if next := u.Next(); next <= now {
		u.t.Errorf("at %.3f s, after the call of Time, Next still returns %.3f s", seconds(now), seconds(next))
	}
}

func seconds(t int64) float64 { return float64(t) / 1e9 }
