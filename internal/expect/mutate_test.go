package expect_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A sentMessage is a message that can be replayed with changes.
type sentMessage struct {
	place   wire.Place
	context wire.Context
	way     wire.Direction
	data    []byte
	name    string
	fields  map[string][2]int // positions of fields outside lists, by path

	anytime, answers bool // whether it may come at any time, and whether it is an answer
}

// recording keeps messages.
type recording struct{ all []sentMessage }

func (t *recording) Finding(*filter.Subject) {}
func (t *recording) Value(*wire.Value)       {}

func (t *recording) Message(x *filter.Subject) {
	m := x.Message
	s := sentMessage{place: *x.Place, context: m.Layer.Core().Context, way: m.Direction, data: bytes.Clone(m.Data), name: m.Name, fields: make(map[string][2]int)}
	s.context.Direction, s.context.Roster = m.Direction, nil
	s.anytime, s.answers = kindOf(m.Layer.Core().Message)
	for _, n := range m.Tree().Nodes {
		if n.Depth == 0 && !n.Composite() && !n.Computed {
			s.fields[n.Name] = [2]int{int(n.Off), int(n.Size)}
		}
	}
	t.all = append(t.all, s)
}

// play reports whether messages fulfil all expectations, none of which may be skipped.
func play(list []*expect.Expectation, all []sentMessage) bool { return fulfilled(results(list, all)) }

func fulfilled(list []*expect.Result) bool {
	return !slices.ContainsFunc(list, func(r *expect.Result) bool { return !r.OK() || r.Skipped != "" })
}

// results checks messages against expectations.
func results(list []*expect.Expectation, all []sentMessage) []*expect.Result {
	c := expect.NewCheck(list, expect.Options{})
	history := filter.NewHistory(nil)
	made := make(map[*wire.Protocol]wire.Layer)
	for i := range all {
		s := &all[i]
		l := made[s.place.Protocol]
		if l == nil {
			l = s.place.Protocol.New()
			made[s.place.Protocol] = l
		}
		part := l.Core()
		part.Context = s.context
		_ = part.Decode(l, s.data, quiet{}) // the layer keeps the error
		if part.Message == nil {
			continue
		}
		history.Packet(s.place.Time)
		c.Message(history.Message(message(s, l)))
	}
	return c.Close()
}

// sequences loads expectations without their bounds, because no tracker measures changed messages.
func sequences(t *testing.T, name string) []*expect.Expectation {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testdata, "expect", name))
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ = bytes.Cut(text, []byte("\nbounds:"))
	return loadText(t, name, text)
}

// once reads the first message of a capture, for tests that replay it many times.
func once(t testing.TB, capture string) (s sentMessage, l wire.Layer) {
	t.Helper()
	var all recording
	read(t, capture, &all)
	s = all.all[0]
	l = s.place.Protocol.New()
	_ = l.Core().Decode(l, s.data, quiet{})
	return s, l
}

// message makes a message from what a layer decoded.
func message(s *sentMessage, l wire.Layer) *decode.Message {
	part := l.Core()
	return &decode.Message{Place: s.place, Direction: s.way, Name: part.Message.Name, Code: part.CodeText(l), Length: part.Size(), Data: part.Contents, Layer: l}
}

type quiet struct{}

func (quiet) SetTruncated() {}

// TestMutations checks that dropping, doubling, moving or altering a message that a sequence names makes the check
// fail. Dropping, doubling or altering other messages does not.
func TestMutations(t *testing.T) {
	for _, test := range []struct {
		expectation, capture string
		named                map[int][]string // frames of messages that must come once, and the fields that matter
		free                 map[int][]string // fields that do not matter
	}{
		{"tribes-list.yaml", "tribes-x-control.pcap",
			map[int][]string{6: {"key", "type"}, 7: {"key", "packet_number", "master_name", "packet_total"}, 8: {"key", "packet_number", "packet_total"}, 9: {"key", "packet_number"}, 10: {"key", "packet_number", "packet_total"}},
			map[int][]string{7: {"motd"}, 8: {"reserved"}}},
		{"bloodmasters-ping.yaml", "bloodmasters-gametypes.pcap", map[int][]string{1: {"echo"}, 2: {"echo"}}, map[int][]string{2: {"title", "map"}}},
		{"iceball-listed.yaml", "iceball-real-session.pcap", map[int][]string{12: {"cookie"}, 13: {"cookie"}, 16: {"cookie"}, 78: {"cookie"}}, map[int][]string{11: {"name", "map"}}},
		{"bzflag17-join.yaml", "bz17-c-joinleave.pcap",
			map[int][]string{4: {"version"}, 36: {"player", "team", "type", "call_sign"}, 37: {"code"}, 43: {"player", "team", "call_sign"}},
			map[int][]string{36: {"email"}, 43: {"email"}}},
		{"bzflag24-join.yaml", "bz24-ctf-capture.pcap",
			map[int][]string{142: {"version", "player"}, 144: {"code"}, 145: {"code"}, 147: {"code"}, 152: {"code"}, 154: {"code"}, 159: {"call_sign", "team"}, 160: {"player"}, 182: {"player", "call_sign", "team"}},
			map[int][]string{159: {"motto", "token"}, 182: {"motto"}}},
		{"bzflag24-capture.yaml", "bz24-ctf-players.pcap", map[int][]string{205: {"team"}, 217: {"player", "flag_num", "team"}}, nil},
		{"bzflag24-kill.yaml", "bz24-ctf-players.pcap", map[int][]string{155: {"killer", "reason", "shot_id"}, 167: {"killer", "reason", "shot_id"}}, nil},
		{"bzflag24-reject.yaml", "bz24-reject.pcap", map[int][]string{75: {"reason"}}, nil},
	} {
		list := sequences(t, test.expectation)
		var tp recording
		read(t, test.capture, &tp)
		if !play(list, tp.all) {
			t.Errorf("%s: the unchanged messages fail", test.expectation)
			continue
		}
		for i := range tp.all {
			s := &tp.all[i]
			if fields, named := test.named[s.place.Frame]; named {
				mutateNamed(t, test.expectation, list, tp.all, i, fields)
			}
			for _, f := range test.free[s.place.Frame] {
				if !play(list, altered(tp.all, i, s.fields[f])) {
					t.Errorf("%s: frame %d: altering %s fails, although no step names it", test.expectation, s.place.Frame, f)
				}
			}
		}
		mutateOthers(t, test.expectation, list, tp.all)
	}
}

func mutateNamed(t *testing.T, name string, list []*expect.Expectation, all []sentMessage, i int, fields []string) {
	t.Helper()
	s := &all[i]
	if play(list, slices.Delete(slices.Clone(all), i, i+1)) {
		t.Errorf("%s: frame %d: dropping %s does not fail", name, s.place.Frame, s.name)
	}
	if play(list, slices.Insert(slices.Clone(all), i, *s)) {
		t.Errorf("%s: frame %d: doubling %s does not fail", name, s.place.Frame, s.name)
	}
	for _, f := range fields {
		at, ok := s.fields[f]
		if !ok {
			t.Errorf("%s: frame %d: %s has no field %s", name, s.place.Frame, s.name, f)
		}
		if play(list, altered(all, i, at)) {
			t.Errorf("%s: frame %d: altering the field %s of %s does not fail", name, s.place.Frame, f, s.name)
		}
	}
}

// altered returns the messages with one field of one message changed.
func altered(all []sentMessage, i int, field [2]int) []sentMessage {
	all = slices.Clone(all)
	all[i].data = bytes.Clone(all[i].data)
	all[i].data[field[0]+min(field[1]-1, 1)] ^= 1 // the first letter of a text, which follows its length
	return all
}

// mutateOthers drops, doubles and alters messages that no step names.
func mutateOthers(t *testing.T, name string, list []*expect.Expectation, all []sentMessage) {
	t.Helper()
	named := make(map[string]bool)
	for _, e := range list {
		for _, n := range e.Names() {
			named[n] = true
		}
	}
	n := 0
	for i := range all {
		if s := &all[i]; !named[s.name] && len(s.data) > 0 && n < 40 {
			n++
			last := [2]int{len(s.data) - 1, 1}
			for what, changed := range map[string][]sentMessage{
				"dropping": slices.Delete(slices.Clone(all), i, i+1), "doubling": slices.Insert(slices.Clone(all), i, *s), "altering": altered(all, i, last),
			} {
				if !play(list, changed) {
					t.Errorf("%s: frame %d: %s %s fails, although no step names it", name, s.place.Frame, what, s.name)
				}
			}
		}
	}
}

// TestSwaps checks that swapping two messages makes the check fail.
func TestSwaps(t *testing.T) {
	for _, test := range []struct {
		expectation, capture string
		swaps                [][2]int // frame numbers of the messages to swap
	}{
		{"tribes-list.yaml", "tribes-x-control.pcap", [][2]int{{6, 7}, {7, 8}, {8, 9}, {9, 10}}},
		{"iceball-listed.yaml", "iceball-real-session.pcap", [][2]int{{11, 12}, {12, 13}, {13, 14}}},
		{"bloodmasters-ping.yaml", "bloodmasters-gametypes.pcap", [][2]int{{1, 2}}},
		{"bzflag17-join.yaml", "bz17-c-joinleave.pcap", [][2]int{{36, 37}, {37, 43}, {35, 36}}},
		{"bzflag24-join.yaml", "bz24-ctf-capture.pcap", [][2]int{{140, 142}, {142, 144}, {153, 154}, {159, 160}, {160, 182}}},
		{"bzflag24-kill.yaml", "bz24-ctf-players.pcap", [][2]int{{155, 167}}},
		{"bzflag24-capture.yaml", "bz24-ctf-players.pcap", [][2]int{{205, 217}, {187, 205}}},
	} {
		list := sequences(t, test.expectation)
		var tp recording
		read(t, test.capture, &tp)
		for _, swap := range test.swaps {
			all := slices.Clone(tp.all)
			i := slices.IndexFunc(all, func(s sentMessage) bool { return s.place.Frame == swap[0] })
			j := slices.IndexFunc(all, func(s sentMessage) bool { return s.place.Frame == swap[1] })
			all[i], all[j] = all[j], all[i]
			all[i].place.Time, all[j].place.Time = all[j].place.Time, all[i].place.Time
			if play(list, all) {
				t.Errorf("%s: swapping frames %d and %d does not fail", test.expectation, swap[0], swap[1])
			}
		}
	}
}
