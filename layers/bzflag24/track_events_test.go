package bzflag24_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// named returns the message that announces a player. In these tests, ann is in Red, bob in Green, and cat in Red.
func named(id byte, name string, team byte) said {
	return bySrv(message("ap", string([]byte{id, 0, 0, 0, team})+zeros(6)+name+zeros(32-len(name)+128)))
}

// kills returns the message about a kill. The reason and the killer's flag determine the kind of kill.
func kills(killer, victim byte, reason int16, flag string) said {
	body := string([]byte{victim, killer, byte(reason >> 8), byte(reason), 0, 1}) + (flag + "\x00\x00")[:2]
	if reason == 0x7064 {
		body += zeros(4)
	}
	return bySrv(message("kl", body))
}

// speaks returns a line of chat from a player.
func speaks(from, to byte, text string) said {
	return bySrv(message("mg", string([]byte{from, to, 0})+text+"\x00"))
}

func timeLeft(seconds int32) said {
	return bySrv(message("to", string([]byte{byte(seconds >> 24), byte(seconds >> 16), byte(seconds >> 8), byte(seconds)})))
}

// scored returns the message with a player's score.
func scored(id, wins, losses, teamKills byte) said {
	return bySrv(message("sc", string([]byte{1, id, 0, wins, 0, losses, 0, teamKills})))
}

func standings(team, wins, losses byte) said {
	return bySrv(message("tu", string([]byte{1, 0, team, 0, 1, 0, wins, 0, losses})))
}

// happenings plays each message to two clients, after ann, bob and cat have joined. It returns the sentences of the
// reported events. It also returns the table entries whose text begins with wanted, unless wanted is "".
func happenings(t *testing.T, list []said, wanted string) (reported []string) {
	hello := func(id byte) said { return bySrv("BZFS0221" + string([]byte{id})) }
	accept := func(id byte) said { return bySrv(message("ac", string([]byte{id}))) }
	begin := []said{
		byCli("BZFLAG\r\n\r\n"), hello(5), accept(5), settingsOf(bzflag24.TeamFFA), named(5, "ann", 1),
		joinedBy(byCli("BZFLAG\r\n\r\n")), joinedBy(hello(6)), joinedBy(accept(6)), joinedBy(named(5, "ann", 1)),
		named(6, "bob", 2), joinedBy(named(6, "bob", 2)), named(7, "cat", 1), joinedBy(named(7, "cat", 1)),
	}
	g := newGames(t, 1)
	for _, s := range begin {
		g.hear(0, s)
	}
	g.found[0] = nil
	for _, s := range list {
		s = s.later(time.Minute) // by then, both clients joined long ago
		g.hear(0, s)
		if !s.toServer {
			g.hear(0, joinedBy(s))
		}
	}
	g.tracker.Close(math.MaxInt64)
	for _, found := range g.found[0] {
		_, line, _ := strings.Cut(found, " ")
		table, what, _ := strings.Cut(line, ": ")
		switch {
		case table == "": // an event
			reported = append(reported, what[strings.Index(what, `0 "`)+3:len(what)-1])
		case strings.HasPrefix(line, wanted) && wanted != "":
			reported = append(reported, what)
		}
	}
	return reported
}

// TestEvents checks that each event is reported once, as a sentence.
func TestEvents(t *testing.T) {
	add := func(list ...said) []said { return list }
	for _, c := range []struct {
		said []said
		want []string
	}{
		{add(kills(5, 6, 1, "L")), []string{"ann kills bob with Laser"}},
		{add(kills(5, 6, 1, "R*")), []string{"ann kills bob with a shot"}},
		{add(kills(5, 7, 1, "")), []string{"ann kills cat with a shot, a teammate"}},
		{add(kills(5, 5, 1, "R")), []string{"ann is killed by an own shot"}},
		{add(kills(9, 5, 1, "GM")), []string{"ann is killed by Guided Missile from a player who has left"}},
		{add(kills(253, 5, 1, "SW")), []string{"the server kills ann with Shock Wave"}},
		{add(kills(6, 5, 2, "SR")), []string{"bob runs over ann"}},
		{add(kills(255, 5, 2, "")), []string{"ann is run over"}},
		{add(kills(255, 5, 3, "")), []string{"ann dies as a flag is captured"}},
		{add(kills(6, 5, 4, "G")), []string{"bob kills ann with Genocide"}},
		{add(kills(5, 5, 5, "")), []string{"ann self-destructs"}},
		{add(kills(255, 5, 6, "")), []string{"ann drowns"}},
		{add(kills(5, 5, 0x7064, "")), []string{"ann touches a deadly object"}},
		{add(kills(255, 5, 0, "")), []string{"ann dies"}},
		{add(kills(6, 5, 0, "")), []string{"bob kills ann"}},

		{add(grabbed(5, 1, "G*"), dropped(5, 1, "G*"), captured(5, 1)),
			[]string{"ann grabs Green's flag", "ann captures Green's flag for Red"}},
		{add(grabbed(5, 1, "G*"), flying(5, 1, "G*")), []string{"ann grabs Green's flag", "ann drops Green's flag"}},
		{add(stolen(6, 1, "R*")), []string{"bob steals Red's flag from player 9"}},
		{add(grabbed(5, 1, "GM"), flying(5, 1, "GM")), nil},

		{add(speaks(5, 254, "hello")), []string{"ann: hello"}},
		{add(speaks(5, 254, "hello"), speaks(5, 254, "hello")), []string{"ann: hello", "ann: hello"}},
		{add(speaks(5, 6, "psst")), []string{"ann to bob: psst"}},
		{add(speaks(6, 249, "cover me")), []string{"bob to Green: cover me"}},
		{add(speaks(6, 252, "help")), []string{"bob to the administrators: help"}},
		{add(speaks(5, 5, "bzadminping")), nil},
		{add(bySrv(message("mg", "\x05\xfe\x01waves\x00"))), []string{"* ann waves"}},
		{add(bySrv(message("mg", "\x05\x06\x01waves\x00"))), []string{"* ann waves (to bob)"}},
		{add(speaks(5, 254, "say /password sesame to it")), []string{"ann: say /password ************"}},
		{add(speaks(253, 254, "welcome")), []string{"server: welcome"}},
		{add(speaks(253, 5, "welcome")), nil},
		{add(speaks(244, 254, "boo")), nil},

		{add(named(8, "dan", 5)), []string{"dan joins the observers"}},
		{add(named(8, "bob", 2), speaks(8, 254, "hi")),
			[]string{"bob (player 8) joins Green (4 players)", "bob (player 8): hi"}},
		{add(named(8, "server", 2)), []string{`\"server\" joins Green (4 players)`}},
		{add(named(8, "bob kills ann", 2)), []string{`\"bob kills ann\" joins Green (4 players)`}},
		{add(named(8, "", 2)), []string{"player 8 joins Green (4 players)"}},
		{add(bySrv(message("rp", "\x07"))), []string{"cat leaves"}},
		{add(bySrv(message("rp", "\x07")), flying(7, 1, "G*")), []string{"cat leaves", "player 7 drops Green's flag"}},

		{add(bySrv(message("nR", "\x06")), bySrv(message("nR", "\xff"))), []string{"bob is the rabbit"}},
		{add(paused(1), paused(0)), []string{"ann pauses", "ann goes on"}},
		{add(timeLeft(60), timeLeft(-1), timeLeft(50), timeLeft(0), timeLeft(300)), []string{
			"the game is paused", "the game goes on, 50 seconds are left", "the game is over", "the game begins, 300 seconds long",
		}},
		{add(standings(1, 3, 1), standings(2, 1, 3), scored(5, 7, 2, 0), scored(6, 1, 9, 0), bySrv(message("so", "\x05\x00\x01")), timeLeft(0)),
			[]string{"Red wins the game: Red 3-1, Green 1-3, best player ann 7-2"}},
		{add(scored(6, 1, 0, 0), bySrv(message("so", "\x06\xff\xff"))), []string{"bob wins the game: best player bob 1-0"}},
		{add(standings(1, 0, 0), standings(2, 0, 0), scored(6, 1, 0, 0), bySrv(message("so", "\x06\xff\xff")),
			flying(5, 1, "GM"), standings(2, 1, 0), speaks(5, 254, "well")),
			[]string{"bob wins the game: Red 0-0, Green 1-0, best player bob 1-0", "ann: well"}},
		{add(standings(1, 0, 0), scored(5, 1, 0, 0), bySrv(message("so", "\x05\xff\xff")), standings(1, 1, 0),
			bySrv(message("so", "\x05\x00\x01"))), []string{"Red wins the game: Red 1-0, best player ann 1-0"}},
		{add(standings(1, 0, 0), scored(5, 1, 0, 0), bySrv(message("so", "\x05\xff\xff"))),
			[]string{"ann wins the game: Red 0-0, best player ann 1-0"}},
		{add(bySrv(message("so", "\x06\xff\xff"))), []string{"bob ends the game, nobody reached the score limit"}},
		{add(bySrv(message("so", "\x09\xff\xff"))), []string{"the game is over, player 9 won or ended it"}},
		{add(bySrv(message("so", "\xfd\xff\xff"))), []string{"the game is over"}},
	} {
		if reported := happenings(t, c.said, ""); !slices.Equal(reported, c.want) {
			t.Errorf("%+v: reported\n%q, want\n%q", c.said, reported, c.want)
		}
	}
}

// settingsOf returns the settings of a kind of game.
func settingsOf(kind bzflag24.GameType) said {
	return bySrv(message("gs", zeros(4)+"\x00"+string([]byte{byte(kind)})+zeros(24)))
}

// TestMates checks which deaths count as deaths of teammates. That depends on the kind of game and on the current
// rabbit.
func TestMates(t *testing.T) {
	rabbit := func(id byte) said { return bySrv(message("nR", string([]byte{id}))) }
	hunt := []said{settingsOf(bzflag24.RabbitChase)}
	for id := byte(8); id <= 10; id++ {
		hunt = append(hunt, named(id, string([]byte{'h', id - 8 + '0'}), byte(bzflag24.HunterTeam)), born(id))
	}
	hunt = append(hunt, rabbit(8))
	shoots := func(by, whom byte) said { return kills(by, whom, 1, "") }
	for _, c := range []struct {
		name string
		said []said
		want []string // deaths
	}{
		{"one team", []said{shoots(5, 7)}, []string{"ann kills cat, a teammate"}},
		{"two teams", []said{shoots(5, 6)}, []string{"ann kills bob"}},
		{"capture the flag", []said{settingsOf(bzflag24.ClassicCTF), shoots(5, 7)}, []string{"ann kills cat, a teammate"}},
		{"no teams", []said{settingsOf(bzflag24.OpenFFA), shoots(5, 7)}, []string{"ann kills cat"}},
		{"rogues", []said{named(8, "dan", 0), named(9, "eve", 0), shoots(8, 9)}, []string{"dan kills eve"}},
		{"a hunter and the rabbit", append(slices.Clip(hunt), shoots(9, 8), rabbit(9), shoots(9, 10)), []string{"h1 kills h0", "h1 kills h2"}},
		{"two hunters", append(slices.Clip(hunt), shoots(9, 10)), []string{"h1 kills h2, a teammate"}},
		{"a hunter who was the rabbit", append(slices.Clip(hunt), shoots(9, 8), rabbit(9), shoots(8, 10)), []string{"h1 kills h0", "h0 kills h2"}},
		{"a hunter who was the rabbit before spawning", append(slices.Clip(hunt), shoots(9, 8), rabbit(9), born(8), shoots(8, 10)),
			[]string{"h1 kills h0", "h0 kills h2, a teammate"}},
	} {
		reported := happenings(t, c.said, "")
		reported = slices.DeleteFunc(reported, func(s string) bool { return !strings.Contains(s, " kills ") })
		for i := range reported {
			reported[i] = strings.Replace(reported[i], " with a shot", "", 1)
		}
		if !slices.Equal(reported, c.want) {
			t.Errorf("%s: reported %q, want %q", c.name, reported, c.want)
		}
	}
}

// flying returns the message which reports that a dropped flag is in the air.
func flying(id, number byte, kind string) said {
	s := dropped(id, number, kind)
	at := 4 + 1 + 2 + 2 // after the header, the player, and the flag's number and kind
	s.message = s.message[:at] + "\x00\x03" + s.message[at+2:]
	return s
}

// TestScores plays scores that the server announces. Some differ from the scores that the tracker has counted.
func TestScores(t *testing.T) {
	list := []said{
		kills(5, 6, 1, "L"), scored(5, 1, 0, 0), scored(6, 0, 1, 0), kills(5, 7, 1, ""), scored(5, 1, 1, 1), kills(7, 7, 5, ""),
		scored(7, 0, 2, 0), scored(6, 4, 1, 0), scored(6, 0, 1, 0), scored(6, 3, 1, 0), scored(9, 7, 8, 9),
	}
	reported := strings.Join(happenings(t, list, "players: "), "\n")
	for _, want := range []string{
		`5 ann score 0 "1-0"`, `6 bob score 0 "0-1"`, `5 ann teamkills 1 ""`, `5 ann score 0 "1-1-1"`, `7 cat score 0 "0-2"`,
		`6 bob score 0 "4-1"` + "\n" + `6 bob note 0 "counted 0-1"`, `6 bob note 0 ""`,
		`9 score 0 "7-8-9"`, // a score that the tracker could not count
	} {
		if !strings.Contains(strings.ReplaceAll(reported, " > ", ""), want) {
			t.Errorf("%s is missing in\n%s", want, reported)
		}
	}
	if n := strings.Count(reported, "note"); n != 3 {
		t.Errorf("%d changes of the note are reported, want 3:\n%s", n, reported)
	}
}

// TestCaptures checks that the capture of another team's flag counts, and that an own goal does not.
func TestCaptures(t *testing.T) {
	for id, want := range map[byte]int{5: 1, 6: 0} { // Red is the team of the base; ann is in Red and bob in Green
		reported := happenings(t, []said{captured(id, 1)}, "players: ")
		n := 0
		for _, s := range reported {
			n += strings.Count(s, " captures 1 ")
		}
		if n != want {
			t.Errorf("player %d: %d captures are counted, want %d: %q", id, n, want, reported)
		}
	}
}

// TestKills checks the matrix of killers and victims, and the causes.
func TestKills(t *testing.T) {
	list := []said{kills(5, 6, 1, "L"), kills(5, 7, 2, ""), kills(6, 6, 5, ""), kills(255, 6, 6, "")}
	want := []string{
		"5 ann > 6 bob kills", "5 ann > 6 bob by shot", "5 ann > 7 cat kills", "5 ann > 7 cat run over", "5 ann > 7 cat teamkills",
		"(self) > 6 bob kills", "(self) > 6 bob other", "(nobody) > 6 bob kills", "(nobody) > 6 bob other",
	}
	reported := happenings(t, list, "kills: ")
	reported = slices.DeleteFunc(reported, func(s string) bool { return !strings.Contains(s, " > ") })
	for i := range want {
		want[i] += ` 1 ""`
	}
	if !slices.Equal(reported, want) {
		t.Errorf("reported\n%q, want\n%q", reported, want)
	}
}

// TestQueries plays queries, only some of which are answered.
func TestQueries(t *testing.T) {
	game, who := byCli(message("qg", "")), byCli(message("qp", ""))
	list := []said{game, game, who, bySrv(message("qg", "\x00\x01"+zeros(42))), bySrv(message("qp", "\x00\x08\x00\x01"))}
	count := make(map[string]int)
	for _, s := range happenings(t, list, "queries: ") {
		count[strings.TrimPrefix(s, "the client:40000 >  ")]++
	}
	want := map[string]int{`asked 1 ""`: 3, `answered 1 ""`: 2, `answer 0 "ClassicCTF, 0 of 0 players"`: 1,
		`answer 0 "1 player"`: 1, `unanswered 1 ""`: 1}
	for what, n := range want {
		if count[what] != n {
			t.Errorf("%s is reported %d times, want %d: %v", what, count[what], n, count)
		}
	}
}
