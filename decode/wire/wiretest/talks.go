package wiretest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Talks passes conversations to a protocol's tracker and compares its output with golden files. A conversation is
// called a talk, and is a .talk file:
//
//	# An answer without a question; made by hand.
//	client: 192.0.2.1:4000
//	server: 192.0.2.2:6969
//
//	0.000 client > server
//	07 00 0d 00000001
//	0.250 server > client tcp
//	...
//	3.000 server > client lost
//	9.000 end
//
// The first line describes the conversation. The next lines give names to endpoints. If a name begins with "server",
// the endpoint is a server, which determines the direction of messages. Each message has a line with its time in
// seconds, its endpoints, and "tcp" if it is not a datagram. Its bytes follow as in a Sample; a datagram may contain
// several messages.
//
// Other words in place of "tcp" are events:
//   - lost: bytes of a stream are missing
//   - closed: the sender closes its connection; later messages from the same endpoint belong to another connection
//   - reset: the sender aborts the connection
//   - icmp: a datagram was not delivered
//   - empty: a datagram without bytes
//   - end: the capture ends
//
// The .said file of the same name contains the expected findings and values. A line "breaks: RULE SEVERITY BYTES" after
// a message states a finding, as in a Sample. If a message has such a line, it must have one for each finding.
//
// Talks also plays variants of each conversation: many copies at the same time between different hosts, whose addresses
// also change in the messages (see checkMany); with a client message of a connection lost (see checkLost); and with
// other faults of networks and captures (see checkNetwork). If a message excuses what would otherwise break a rule, a
// variant without that message breaks the rule. A line "hides: RULE" before the first message allows that. Finally,
// Talks plays the messages of all conversations at impossible times (see checkTimes).
//
// A talk, or a sample in the parent folder, must break every rule of the protocol, except the rules in without.
func Talks(t *testing.T, p *wire.Protocol, dir string, without ...string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.talk"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no talks in %s: %v", dir, err)
	}
	broken := make(map[string]int)
	var talks []*talk
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".talk"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			talk, err := parseTalk(string(text))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			talks = append(talks, talk)
			output := talk.play(p, broken)
			checkText(t, output)
			checkStated(t, p, talk)
			checkNamed(t, p, talk)
			checkTalkKept(t, p, talk)
			checkNext(t, p, talk)
			checkLost(t, p, talk)
			checkNetwork(t, p, talk)
			checkDirections(t, p, talk)
			checkMany(t, p, talk)
			Golden(t, strings.TrimSuffix(file, ".talk")+".said", output)
		})
	}
	t.Run("bounded", func(t *testing.T) { checkBounded(t, p, talks) })
	t.Run("times", func(*testing.T) { checkTimes(p, talks) })
	t.Run("coverage", func(t *testing.T) {
		samples, err := Samples(filepath.Dir(dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range samples {
			for r := read(p, p.New(), s); r.next(); {
				for _, f := range r.layer.Core().Findings() {
					broken[f.Rule.ID]++
				}
			}
		}
		for _, id := range without {
			if broken[id] > 0 {
				t.Errorf("%s is listed as an exception, but a talk or sample breaks it", id)
			}
			broken[id]++
		}
		for _, rule := range p.Rules {
			if broken[rule.ID] == 0 {
				t.Errorf("no talk and no sample breaks %s", rule.ID)
			}
		}
	})
}
