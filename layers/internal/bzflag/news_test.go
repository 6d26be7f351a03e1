package bzflag_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// crowd are the clients of a server who are told the same, each at its own time.
type crowd struct {
	news   bzflag.News
	queues [][]string
	heard  map[string]int
}

// tell has all but the one without be told of an event.
func (c *crowd) tell(event string, without int) {
	for i := range c.queues {
		if i != without {
			c.queues[i] = append(c.queues[i], event)
		}
	}
}

// hear has one be told of the next event that is on its way.
func (c *crowd) hear(i int) {
	if len(c.queues[i]) == 0 {
		return
	}
	event := c.queues[i][0]
	c.queues[i] = c.queues[i][1:]
	if c.news.Hear(uint32(i+1), []byte(event), 0) {
		c.heard[event]++
	}
}

// TestNews tells many clients of events, most of which look alike, and some that only two are told of.
func TestNews(t *testing.T) {
	const many, events, behind = 20, 5000, 40
	random := rand.New(rand.NewPCG(1, 2))
	c := &crowd{queues: make([][]string, many), heard: make(map[string]int)}
	want := make(map[string]int)
	for range events {
		event := "event " + strconv.Itoa(random.IntN(30))
		if random.IntN(4) == 0 {
			i := random.IntN(many - 1)
			event = "private " + strconv.Itoa(i)
			c.queues[i], c.queues[i+1] = append(c.queues[i], event), append(c.queues[i+1], event)
		} else {
			c.tell(event, 1+random.IntN(2*many)) // the capture may lose one copy, but for those of the first client
		}
		want[event]++
		for i := range many {
			for len(c.queues[i]) > random.IntN(behind) {
				c.hear(i)
			}
		}
	}
	for i := range many {
		for len(c.queues[i]) > 0 {
			c.hear(i)
		}
	}
	for event, n := range want {
		if c.heard[event] != n {
			t.Errorf("%q happened %d times, heard are %d", event, n, c.heard[event])
		}
	}
}

// TestNewsOfLatecomers has a client come who is told of events that others were told of just before, and one who comes
// later, when what looks alike is another event.
func TestNewsOfLatecomers(t *testing.T) {
	var n bzflag.News
	const second = int64(1e9)
	for i, step := range []struct {
		number uint32
		now    int64
		want   bool
	}{
		{1, 0, true}, {1, 0, true}, {2, second, false}, {2, second, false}, {2, second, true}, {1, second, false},
		{3, 60 * second, true},
	} {
		if got := n.Hear(step.number, []byte("hello"), step.now); got != step.want {
			t.Errorf("step %d: new %t, want %t", i, got, step.want)
		}
	}
	before := n.Held()
	for i := range 100_000 {
		n.Hear(1, strconv.AppendInt(nil, int64(i), 10), 60*second)
	}
	if n.Held() > before+64<<10 {
		t.Errorf("%d bytes are held", n.Held())
	}
}

// However many connections are told the same, they take bounded memory, and so does the search among them.
func TestNewsOfACrowd(t *testing.T) {
	var n bzflag.News
	news := 0
	for i := range uint32(200_000) {
		if n.Hear(i, []byte("hello"), 0) {
			news++
		}
	}
	if n.Held() > 5<<18 || news > 200_000/500 {
		t.Errorf("%d bytes are held, %d are news", n.Held(), news)
	}
}
