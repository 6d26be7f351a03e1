package bzflag24

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// shots is a set of shots of a game. It contains at least the last maxShots shots, and at most twice as many.
type shots struct {
	recent, before map[shotSlot]salts
	count          int // number of shots in recent
}

const maxShots = 8192

// shotSlot identifies the slot of a player's shot.
type shotSlot struct {
	shooter PlayerID
	slot    uint8
}

// salts has a bit for each known salt in a slot. A salt is the high byte of a shot's number. Programs increment it with
// each shot, so most bits are set.
type salts [4]uint64

func (s *salts) has(salt int) bool { return s[salt/64]&(1<<(salt%64)) != 0 }

// add adds a shot, or marks it as recent if it is in the set.
func (s *shots) add(shooter PlayerID, id uint16) {
	slot, salt := shotSlot{shooter, uint8(bzflag.ShotSlot(id))}, bzflag.ShotSalt(id)
	known := s.recent[slot]
	if known.has(salt) {
		return
	}
	if s.count == maxShots {
		s.before, s.recent, s.count, known = s.recent, nil, 0, salts{}
	}
	if s.recent == nil {
		s.recent = make(map[shotSlot]salts)
	}
	known[salt/64] |= 1 << (salt % 64)
	s.recent[slot] = known
	s.count++
}

// has reports whether a shot is in the set, and marks it as recent.
func (s *shots) has(shooter PlayerID, id uint16) bool {
	slot, salt := shotSlot{shooter, uint8(bzflag.ShotSlot(id))}, bzflag.ShotSalt(id)
	if known := s.recent[slot]; known.has(salt) {
		return true
	}
	known, ok := s.before[slot]
	if ok = ok && known.has(salt); ok {
		s.add(shooter, id)
	}
	return ok
}

// size returns the approximate number of bytes that the shots occupy.
func (s *shots) size() int {
	const each, least = 80, 400 // bytes per entry of a half full map, and of a map with few entries
	bytes := 0
	for _, n := range [...]int{len(s.recent), len(s.before)} {
		if n > 0 {
			bytes += max(n*each, least)
		}
	}
	return bytes
}
