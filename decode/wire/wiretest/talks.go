package wiretest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Talks shows conversations to a protocol's tracker and compares what it finds with golden files.
// A conversation is a .talk file:
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
// The first line describes it. Names of endpoints follow; a name that begins with "server" is a server's and
// determines the direction of messages. Each message is a line with its time in seconds and its endpoints, "tcp" after
// them if it is not a datagram, and then its bytes as in a Sample; a datagram may hold several. "lost" says that bytes
// of a stream are missing, "closed" that one end closes it, "reset" that it breaks it off, "icmp" that a datagram was
// not delivered, "empty" that one without bytes comes, "end" when the capture ends. What comes after "closed" from the
// same endpoint is of another connection. The .said file of the same name has the expected findings and values. After a
// message, "breaks: RULE SEVERITY BYTES", as in a Sample, states a finding of it; if one is stated, all are.
//
// Each conversation is also played many times at once between different hosts, see checkMany, which changes the
// addresses in messages as well. And it is played with each message lost that a client sends over a connection, see
// checkLost, and with all that a network and a capture point may do, see checkNetwork: "hides: RULE" in front of the
// first message names a rule that the talk breaks once the message which excuses it is missing. Messages of all
// conversations come at times that no clock has, see checkTimes.
//
// A talk, or a sample of the folder above, has to break every rule of the protocol, except those in without.
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
			said := talk.play(p, broken)
			checkText(t, said)
			checkStated(t, p, talk)
			checkNamed(t, p, talk)
			checkTalkKept(t, p, talk)
			checkNext(t, p, talk)
			checkLost(t, p, talk)
			checkNetwork(t, p, talk)
			checkDirections(t, p, talk)
			checkMany(t, p, talk)
			Golden(t, strings.TrimSuffix(file, ".talk")+".said", said)
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
				t.Errorf("%s is listed as an exception, but is broken", id)
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
