package bzflag24

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// shots are the last maxShots shots of a game, and at most as many earlier ones.
type shots struct {
	recent, before map[shotSlot]salts
	count          int // shots in recent
}

const maxShots = 8192

// shotSlot is the slot of a player's shot.
type shotSlot struct {
	shooter PlayerID
	slot    uint8
}

// salts are the salts of the shots of a slot, one bit each. Programs increment the salt, so most are used.
type salts [4]uint64

func (s *salts) has(salt int) bool { return s[salt/64]&(1<<(salt%64)) != 0 }

// add adds a shot, or makes it recent again.
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

// has reports whether a shot is in the set, and makes it recent.
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

// size returns about how many bytes the shots take.
func (s *shots) size() int {
	const each, least = 80, 400 // bytes in a half full map, and in a map with few entries
	bytes := 0
	for _, n := range [...]int{len(s.recent), len(s.before)} {
		if n > 0 {
			bytes += max(n*each, least)
		}
	}
	return bytes
}
