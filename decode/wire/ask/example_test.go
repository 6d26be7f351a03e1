package ask_test

import (
	"fmt"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/ask"
)

// A client pings a server. Each pong contains the number of its ping.
func Example() {
	rules := &ask.Rules{Most: 8, Patience: int64(5 * time.Second), Memory: int64(time.Minute)}
	seconds := func(n int64) int64 { return n * int64(time.Second) }

	var pings ask.List[uint16]
	pong := func(now int64, number uint16) {
		ping, verdict := pings.Answer(rules, now, func(q *ask.Question[uint16]) int {
			if q.Value == number {
				return 1
			}
			return 0
		})
		switch verdict {
		case ask.First:
			fmt.Printf("%d was answered after %s\n", number, time.Duration(now-ping.Asked))
		case ask.Again:
			fmt.Printf("%d was answered before\n", number)
		case ask.Late:
			fmt.Printf("%d was answered too late\n", number)
		case ask.Unasked:
			fmt.Printf("%d was not asked\n", number)
		case ask.Unsure:
			fmt.Printf("%d may have been asked before the capture began\n", number)
		}
	}

	pings.Miss(0) // the capture begins
	pong(seconds(1), 6)
	pings.Ask(rules, seconds(10), 7, nil)
	pong(seconds(11), 7)
	pong(seconds(12), 7)
	pong(seconds(13), 9)
	pings.Ask(rules, seconds(20), 8, nil)
	pings.Overdue(rules, seconds(25), func(q *ask.Question[uint16]) { fmt.Printf("%d is not answered\n", q.Value) })
	pong(seconds(26), 8)
	// Output:
	// 6 may have been asked before the capture began
	// 7 was answered after 1s
	// 7 was answered before
	// 9 was not asked
	// 8 is not answered
	// 8 was answered too late
}
