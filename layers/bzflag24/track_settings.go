package bzflag24

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// gameSettings are the settings of a game, as the server sends them.
type gameSettings struct {
	known    bool // kind, options and maxShots are known
	kind     GameType
	options  GameOptions
	maxShots int
	numFlags int // 0: not known
}

// take records the settings that several messages contain.
func (s *gameSettings) take(kind GameType, options GameOptions, maxShots uint16) {
	s.known, s.kind, s.options, s.maxShots = true, kind, options, int(maxShots)
}

// forget drops the settings, because the server may have started another game.
func (s *gameSettings) forget() { s.known, s.numFlags = false, 0 }

// checkFlagNumber checks the number of a flag; off is its offset.
func (s *gameSettings) checkFlagNumber(m message, number uint16, off int) {
	if s.numFlags > 0 && int(number) >= s.numFlags {
		m.layer.Report(ruleFlagNumber, off, 2, "flag %d, there are %d", number, s.numFlags)
	}
}

// checkSlot checks the slot of a shot; off is the offset of the shooter.
func (s *gameSettings) checkSlot(m message, b *Shot, off int) {
	if slot := bzflag.ShotSlot(b.ID); s.known && slot >= s.maxShots && b.Shooter.ID != ServerPlayer {
		m.layer.Report(ruleShotLimit, off+1, 2, "slot %d, there are %d", slot, s.maxShots)
	}
}

// checkRabbitMode checks that the game is a rabbit chase if the server sends MsgNewRabbit.
func (s *gameSettings) checkRabbitMode(m message) {
	if s.known && s.kind != RabbitChase {
		m.layer.Report(ruleRabbit, 0, bzflag.HeaderSize, "the game is %s", gameTypes.Format(int64(s.kind)))
	}
}

// checkHandicapOption checks that the game has handicaps if the server sends MsgHandicap.
func (s *gameSettings) checkHandicapOption(m message) {
	if s.known && s.options&Handicap == 0 {
		m.layer.Report(ruleHandicap, 0, bzflag.HeaderSize, "the game's options are %s", optionNames(s.options))
	}
}

// areMates reports whether servers count a kill as the kill of a teammate. Rogues have no teammates, and in a
// free-for-all without teams nobody has any. Hunters are teammates. However, a rabbit that dies becomes a hunter, and
// its last shots may still hit other hunters: these are not kills of teammates. areMates returns false if the kind of
// game is not known, or if the killer may have been the rabbit.
func (s *gameSettings) areMates(killer, victim *tank) bool {
	switch {
	case !s.known || s.kind == OpenFFA || killer.team != victim.team:
		return false
	case killer.team == HunterTeam:
		return killer.births > 0 && !killer.wasRabbit
	}
	return killer.team > RogueTeam && killer.team < ObserverTeam
}

// optionNames returns the names of the options that are set.
func optionNames(o GameOptions) string {
	var b []byte
	for i := range gameOptionBits {
		if gameOptionBits[i].Value&int64(o) == 0 {
			continue
		}
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, gameOptionBits[i].Name...)
	}
	if len(b) == 0 {
		return "none"
	}
	return string(b)
}
