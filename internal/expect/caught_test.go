package expect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/expect"
)

// regressions lists captures to record, each with captures of similar traffic that have a fault or have none.
var regressions = []struct {
	from            string
	faulty, healthy []string
	onlyCaptures    bool // messages cannot be replayed without the state that the hosts share
}{
	{
		"tribes-x-control.pcap",
		[]string{
			"tribes-x-lost-2.pcap", "tribes-x-count-larger-than-packet.pcap", "tribes-x-string-length-overruns.pcap",
			"tribes-x-wrong-entry-marker.pcap", "tribes-wrong-version-t1master.pcap",
		},
		[]string{"tribes-list-40.pcap", "tribes-v-list-40-pcapng.pcapng", "tribes-v-list-40-sll2.pcap"},
		false,
	},
	{
		"tribes-list-40.pcap",
		[]string{"tribes-verify-replies.pcap", "tribes-heartbeats-t1master.pcap", "tribes-x-lost-2.pcap", "tribes-x-wrong-entry-marker.pcap"},
		[]string{"tribes-v-list-40-pcapng.pcapng", "tribes-v-list-40-sll2.pcap", "tribes-v-list-40-snap120.pcap"},
		true,
	},
	{
		"iceball-real-session.pcap",
		[]string{"iceball-cookies.pcap", "iceball-badv.pcapng", "iceball-badf.pcap", "iceball-cadence.pcap"},
		[]string{"iceball-real-session.frag.pcap", "iceball-real-session.qinq.pcap", "iceball-http.pcap", "iceball-strings.pcap"},
		false,
	},
	{
		"bloodmasters-real.pcap",
		[]string{"bloodmasters-real.frag-lost.pcap", "bloodmasters-malformed.pcap", "bloodmasters-versions.pcapng", "bloodmasters-real.snap96.pcap"},
		[]string{"bloodmasters-real.bigendian.pcap", "bloodmasters-real.pcap.gz", "bloodmasters-gametypes.pcap"},
		false,
	},
	{
		"bz17-c-scorelimit.pcap",
		[]string{"bz17-var-lost.pcap", "bz17-var-snap96.pcap", "bz17-var-nosyn.pcap", "bz17-c-violations.pcap", "bz17-c-reject.pcap", "bz17-c-refused.pcap"},
		[]string{
			"bz17-var-dup.pcap", "bz17-var-ipfrag.pcap", "bz17-var-null.pcap", "bz17-var-overlap.pcap", "bz17-var-pcapng.pcapng",
			"bz17-var-reorder.pcap", "bz17-var-seqwrap.pcap", "bz17-var-sll.pcap", "bz17-var-vlan.pcap", "bz17-c-joinleave.pcap",
		},
		false,
	},
	{
		"bz24-ctf-players.head.pcap",
		[]string{"bz24-reject.pcap", "bz24-query.pcap"},
		[]string{"bz24-ctf-players.pcap", "bz24-ctf-capture.pcap"},
		false,
	},
}

// TestCaught makes a table: how many faults do recorded expectations find, and how many do they report in captures
// without a fault, with and without --loose?
func TestCaught(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s%-18s%-18s%-18s%-16s%-18s%s\n", "recorded from", "a message lost", "twice", "in wrong order", "late",
		"faulty captures", "healthy ones")
	var sums [6][3]int
	for _, r := range regressions {
		var all recording
		loose, strict := recorder{expect.NewRecorder(expect.RecordOptions{Loose: true})}, recorder{expect.NewRecorder(expect.RecordOptions{})}
		read(t, r.from, &all, loose, strict)
		lists := [2][]*expect.Expectation{loadText(t, "loose", []byte(loose.Text(r.from))), loadText(t, "strict", []byte(strict.Text(r.from)))}
		if r.onlyCaptures {
			all.all = nil
		}
		fmt.Fprintf(&b, "%-28s", r.from)
		for i, mutate := range []func([]sentMessage, int) []sentMessage{lost, twice, swapped, late} {
			column(&b, &sums[i], []int{18, 18, 18, 16}[i], caughtMessages(t, lists, all.all, mutate))
		}
		column(&b, &sums[4], 18, failing(t, lists, r.faulty))
		column(&b, &sums[5], 0, failing(t, lists, r.healthy))
	}
	fmt.Fprintf(&b, "%-28s", "together")
	for i, width := range []int{18, 18, 18, 16, 18, 0} {
		column(&b, new([3]int), width, sums[i])
	}
	golden := filepath.Join("testdata", "caught.golden")
	wiretest.Golden(t, golden, []byte(b.String()))
	docs, err := os.ReadFile("../../docs/expectations.md")
	if err != nil || !strings.Contains(string(docs), b.String()) {
		t.Errorf("docs/expectations.md does not have the table of %s; %v", golden, err)
	}
}

// column writes how many faults were caught, with and without --loose, and how many there were. It adds these numbers
// to sum. If width is 0, it ends the line.
func column(b *strings.Builder, sum *[3]int, width int, counts [3]int) {
	for i, n := range counts {
		sum[i] += n
	}
	text := "-"
	if counts[2] > 0 {
		text = fmt.Sprintf("%d -> %d of %d", counts[0], counts[1], counts[2])
	}
	if width == 0 {
		b.WriteString(text + "\n")
		return
	}
	fmt.Fprintf(b, "%-*s", width, text)
}

// failing counts the captures that do not fulfil the expectations.
func failing(t *testing.T, lists [2][]*expect.Expectation, captures []string) (counts [3]int) {
	for _, name := range captures {
		counts[2]++
		results := check(t, slices.Concat(lists[:]...), name)
		for i, list := range lists {
			if slices.ContainsFunc(results[:len(list)], func(r *expect.Result) bool { return !r.OK() }) {
				counts[i]++
			}
			results = results[len(list):]
		}
	}
	return counts
}

// caughtMessages changes one message at a time, and counts the changes that the expectations find. It changes only the
// first few messages, and none that may come at any time.
func caughtMessages(t *testing.T, lists [2][]*expect.Expectation, all []sentMessage, mutate func([]sentMessage, int) []sentMessage) (counts [3]int) {
	const most = 20
	for _, list := range lists {
		if all != nil && !play(list, all) {
			t.Errorf("%s: the unchanged messages do not fulfil the recording", list[0].File)
		}
	}
	for i := 0; i < len(all) && counts[2] < most; i++ {
		if all[i].anytime {
			continue
		}
		changed := mutate(all, i)
		if changed == nil {
			continue
		}
		counts[2]++
		checked := results(slices.Concat(lists[:]...), changed)
		for at, list := range lists {
			if !fulfilled(checked[:len(list)]) {
				counts[at]++
			}
			checked = checked[len(list):]
		}
	}
	return counts
}

func lost(all []sentMessage, i int) []sentMessage { return slices.Delete(slices.Clone(all), i, i+1) }

func twice(all []sentMessage, i int) []sentMessage {
	return slices.Insert(slices.Clone(all), i, all[i])
}

// swapped swaps a message with the next message of its conversation that may not come at any time. If the two are
// equal, it returns nil.
func swapped(all []sentMessage, i int) []sentMessage {
	for j := i + 1; j < len(all); j++ {
		if all[j].anytime || all[j].place.ConversationID() != all[i].place.ConversationID() {
			continue
		}
		if all[i].name == all[j].name && all[i].way == all[j].way && string(all[i].data) == string(all[j].data) {
			return nil
		}
		all = slices.Clone(all)
		all[i], all[j] = all[j], all[i]
		all[i].place.Time, all[j].place.Time = all[j].place.Time, all[i].place.Time
		return all
	}
	return nil
}

// late delays an answer by ten seconds, and everything after it in its conversation.
func late(all []sentMessage, i int) []sentMessage {
	if !all[i].answers {
		return nil
	}
	all = slices.Clone(all)
	for j := i; j < len(all); j++ {
		if all[j].place.ConversationID() == all[i].place.ConversationID() {
			all[j].place.Time += int64(10 * time.Second)
		}
	}
	return all
}

// kindOf reports whether a message may come at any time, and whether it answers another message.
func kindOf(m *wire.MessageType) (anytime, answers bool) {
	return m.Recurs == wire.Anytime, len(m.Answers) > 0
}
