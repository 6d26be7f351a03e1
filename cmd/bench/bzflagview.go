package main

import (
	"time"

	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// seen is how a player stands as one connection was told. What it is told later does not contradict it.
type seen struct {
	id           bzflag17.PlayerID
	here, alive  bool
	died         time.Time
	flag         int // the number of the one it carries, or noFlag
	shot         uint16
	shotAt       time.Time // zero: none flies
	guided       bool
	wins, losses uint16
}

const (
	noFlag     = -1
	explosion  = 5 * time.Second        // nobody comes back sooner
	settling   = 2 * time.Second        // after a player entered
	flight     = 3 * time.Second        // of a shot that is spoken of
	goodFlags  = int(bzflag17.Cloaking) // these can be dropped
	guidedFlag = int(bzflag17.GuidedMissile) - 1
)

// forget is what a connection begins with.
func (p *player) forget() {
	for i := range p.view {
		p.view[i] = seen{flag: noFlag}
	}
	p.view[p.number%gameSize] = seen{id: p.id, here: true, flag: noFlag}
}

// self is how the player of a connection stands.
func (p *player) self() *seen { return &p.view[p.number%gameSize] }

// pick chooses one of the other players who fit, of those who play or of whom the connection believes it. Nil:
// nobody does.
func (b *bzflag) pick(p *player, fits func(*seen) bool) (*player, *seen) {
	all := b.others(p)
	from := b.rng.IntN(len(all))
	for i := range all {
		o := &all[(from+i)%len(all)]
		if s := &p.view[o.number%gameSize]; o != p && (o.playing || s.here) && fits(s) {
			return o, s
		}
	}
	return nil, nil
}

func isHere(s *seen) bool   { return s.here }
func isAbsent(s *seen) bool { return !s.here }
func isAlive(s *seen) bool  { return s.here && s.alive }
func isBare(s *seen) bool   { return s.here && s.alive && s.flag == noFlag }
func hasFlag(s *seen) bool  { return s.here && s.alive && s.flag != noFlag }

// isFlying reports whether the last shot of a player can still be spoken of.
func (b *bzflag) isFlying(s *seen) bool {
	return s.here && !s.shotAt.IsZero() && b.recorder.now.Sub(s.shotAt) < flight
}

func (b *bzflag) isGuiding(s *seen) bool { return b.isFlying(s) && s.guided && s.alive }

// isGone reports whether a player may come back to life.
func (b *bzflag) isGone(s *seen) bool {
	return s.here && !s.alive && b.recorder.now.Sub(s.died) > explosion
}

// freeFlag gives the number of a flag that nobody carries, one of the first so many. There have to be as many
// as players, or one of them may not carry any.
func (b *bzflag) freeFlag(p *player, first int) int {
	number := b.rng.IntN(first)
	if b.oneOf(3) {
		number = guidedFlag
	}
	for {
		taken := false
		for i := range p.view {
			taken = taken || p.view[i].flag == number
		}
		if !taken {
			return number
		}
		number = (number + 1) % first
	}
}

// dies notes a death.
func (b *bzflag) dies(s *seen) {
	s.alive, s.died = false, b.recorder.now
	s.losses++
}

// carries is the flag that a player's shots have.
func (s *seen) carries() bzflag17.FlagID {
	if s.flag == noFlag {
		return bzflag17.NoFlag
	}
	return bzflag17.FlagID(s.flag + 1)
}
