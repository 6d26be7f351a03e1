package bzflag24

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// shots are those that were seen to begin in a game: the last maxShots of them, and at most as many before those.
type shots struct {
	recent, before map[shotSlot]salts
	count          int // of those in recent
}

const maxShots = 8192

// shotSlot is where a shot of a player is kept.
type shotSlot struct {
	shooter PlayerID
	slot    uint8
}

// salts are the shots of a slot by their salt, one bit each: programs count it up, so that there are many in the end.
type salts [4]uint64

func (s *salts) has(salt int) bool { return s[salt/64]&(1<<(salt%64)) != 0 }

// add takes a shot that begins, or is spoken of.
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

// has reports whether a shot is among them.
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

// held is about how many bytes they hold.
func (s *shots) held() int {
	const each, least = 80, 400 // of a map that is half full, or has few
	bytes := 0
	for _, n := range [...]int{len(s.recent), len(s.before)} {
		if n > 0 {
			bytes += max(n*each, least)
		}
	}
	return bytes
}
