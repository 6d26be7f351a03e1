package report_test

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

// tally is the counted score of a BZFlag player, and the score that the server reported.
type tally struct {
	wins, losses, teamKills int
	reported                string
}

func (s *tally) String() string {
	text := fmt.Sprintf("%d-%d", s.wins, s.losses)
	if s.teamKills > 0 {
		text += fmt.Sprintf("-%d", s.teamKills)
	}
	return text
}

// tallies are the tallies of the players in a capture.
type tallies map[string]*tally

// take adds a value from the table of players.
func (s tallies) take(v *wire.Value) {
	if v.Table != "players" || v.Event {
		return
	}
	key := v.Server.String() + " " + v.Who
	k := s[key]
	if v.What == "score" {
		if k == nil || v.Text == "0-0" { // the player joins, or a match begins
			k = new(tally)
			s[key] = k
			_, _ = fmt.Sscanf(v.Text, "%d-%d-%d", &k.wins, &k.losses, &k.teamKills)
		}
		k.reported = v.Text
		return
	}
	switch {
	case k == nil:
	case v.What == "kills":
		k.wins++
	case v.What == "deaths":
		k.losses++
	case v.What == "teamkills": // costs a win and a life
		k.wins--
		k.losses++
		k.teamKills++
	}
}

// exceptions are the reported and counted scores of players for whom the two differ.
var exceptions = map[string]string{
	"bz17-c-violations.pcap 127.0.0.1:5155 Bad":         "50-0, 0-1", // wrong on purpose
	"bz24-ctf-players.head.pcap 127.0.0.1:5154 1 erin":  "0-0, 1-0",  // the capture ends between a death and the scores
	"bz24-ctf-players.head.pcap 127.0.0.1:5154 2 frank": "0-0, 0-1",
}

// TestScores compares the scores of players that servers reported with the counted kills and deaths, if the capture has
// all of them.
func TestScores(t *testing.T) {
	rows, equal := 0, 0
	for _, file := range testcapture.Names(t, "../../testdata/[pg]*/bz*") {
		for who, k := range scoresOf(t, file) {
			rows++
			name := filepath.Base(file) + " " + who
			if k.reported == k.String() {
				equal++
			} else if both := k.reported + ", " + k.String(); exceptions[name] != both {
				t.Errorf("%s: reported and counted are %s", name, both)
			}
		}
	}
	t.Logf("%d of %d rows are equal", equal, rows)
	if equal < 50 {
		t.Errorf("%d scores are equal, want more", equal)
	}
}

// TestMiddle uses a capture of a game of BZFlag 1.07c, in which each client has its own port on the server. The test
// lets the capture begin at each of the first packets, and removes some bytes at the beginning of the first messages.
// The result must always be one game, in which each death is reported once.
func TestMiddle(t *testing.T) {
	frames := testcapture.Frames(t, "../../testdata/games/bz17-middle.pcap.gz")
	for first := range 60 {
		for _, cut := range []int{0, 3, 7} {
			games, deaths := make(map[string]bool), make(map[string]int)
			show(beginning(frames, first, cut), func(v *wire.Value) {
				if v.Server.IsValid() && v.Table != "" {
					games[v.Server.String()] = true
				}
				if v.Event && v.What == "kill" {
					deaths[fmt.Sprint(v.Text, v.Time/1e8)]++
				}
			})
			if len(games) != 1 {
				t.Errorf("from packet %d, %d bytes cut off: there are %d games, want 1: %v", first, cut, len(games), games)
			}
			for death, n := range deaths {
				if n != 1 {
					t.Errorf("from packet %d, %d bytes cut off: %s is reported %d times", first, cut, death, n)
				}
			}
		}
	}
}

// beginning removes the packets before first. From what each side of a connection sends after that, it removes as many
// bytes as cut says.
func beginning(frames []decode.Frame, first, cut int) []decode.Frame {
	const ip, size = 14, 2 // offset of the IP header, and of the length in it
	met := make(map[string]bool)
	frames = slices.Clone(frames[first:])
	for i := range frames {
		f := &frames[i]
		tcp := ip + int(f.Data[ip]&15)*4
		head := tcp + int(f.Data[tcp+12]>>4)*4
		if ports := string(f.Data[tcp : tcp+4]); !met[ports] && len(f.Data) > head+cut {
			met[ports] = true
			f.Data = slices.Delete(slices.Clone(f.Data), head, head+cut)
			f.Length = len(f.Data)
			binary.BigEndian.PutUint16(f.Data[ip+size:], uint16(len(f.Data)-ip))
			number := f.Data[tcp+4:]
			binary.BigEndian.PutUint32(number, binary.BigEndian.Uint32(number)+uint32(cut))
		}
	}
	return frames
}

// scoresOf returns the scores in a capture.
func scoresOf(t *testing.T, file string) tallies {
	found := make(tallies)
	show(testcapture.Frames(t, file), found.take)
	return found
}

// show passes the values that an engine finds in frames to a function.
func show(frames []decode.Frame, value func(*wire.Value)) {
	engine := decode.New(decode.Options{Protocols: layers.All(), Value: value})
	defer engine.Close()
	for i := range frames {
		engine.Frame(&frames[i])
	}
}
