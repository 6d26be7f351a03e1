package wiretest

import "github.com/gamedissect/gamedissect/decode/wire"

// checkNext plays a talk with additional packets in between, each of which calls Time. The engine calls Time only when
// the time that Next returned has come. A tracker that finds something earlier would find it too late, or never.
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

// punctual is a tracker that checks its Next.
type punctual struct {
	wire.Tracker
	player *player
	t      *counter
}

func (u *punctual) Ended(p *wire.Place) { u.Tracker.(wire.Ender).Ended(p) }

func (u *punctual) Time(now int64) {
	due, said := u.Next(), len(u.player.said)
	u.Tracker.Time(now)
	if u.t.failures > 0 {
		return
	}
	if found := u.player.said[said:]; len(found) > 0 && now < due {
		u.t.Errorf("at %.3f s Time finds something, but Next was not before %.3f s:\n%s", seconds(now), seconds(due), found)
	}
	if next := u.Next(); next <= now {
		u.t.Errorf("at %.3f s Next is %.3f s, although Time has been told", seconds(now), seconds(next))
	}
}

func seconds(t int64) float64 { return float64(t) / 1e9 }
