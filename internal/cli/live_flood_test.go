//go:build live && linux

package cli

import (
	"os/exec"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/report"
)

// A burst of 100,000 packets a second for ten seconds is captured completely.
func TestLiveBurst(t *testing.T) {
	program, send := lab(t, 1500)
	var frames [][]byte
	for _, name := range []string{"tribes-list-40.pcap", "bloodmasters-real.pcap", "bz17-c-scorelimit.pcap"} {
		for _, b := range packets(t, name) {
			if len(b) <= 1514 {
				frames = append(frames, b)
			}
		}
	}
	for _, form := range []string{"none", "line"} {
		c := begin(t, 1, "sh", "-c", program+" -i "+far+" -T "+form+" >/dev/null")
		const rate, seconds = 100_000, 10
		begun, sent := time.Now(), 0
		for sent < rate*seconds {
			due := int(time.Since(begun).Seconds() * rate)
			for ; sent < min(due, rate*seconds); sent++ {
				for send(frames[sent%len(frames)]) != nil {
					time.Sleep(50 * time.Microsecond) // waits while the queue is full
				}
			}
			time.Sleep(200 * time.Microsecond)
		}
		took := time.Since(begun)
		time.Sleep(time.Second)
		_ = exec.Command("pkill", "-INT", "-f", "^"+program).Run()
		c.wait(t)
		m := droppedForm.FindStringSubmatch(c.err.String())
		if m == nil {
			t.Fatalf("-T %s: %s", form, c.err.String())
		}
		t.Logf("-T %s: %d packets sent in %v (%.0f/s), %s captured, %s dropped", form, sent, took.Round(time.Millisecond), float64(sent)/took.Seconds(), m[1], m[2])
		if m[2] != "0" || m[1] != report.FormatCount(int64(sent)) {
			t.Errorf("-T %s: %s captured, %s dropped, %d sent", form, m[1], m[2], sent)
		}
	}
}

// Packets that the filter rejects do not keep the program from stopping.
func TestLiveStopsInFlood(t *testing.T) {
	program, send := lab(t, 1500)
	frame := packets(t, "bz17-var-vlan.pcap")[0]
	for _, args := range [][]string{{"-i", "any", "-f", "udp port 6969"}, {"-i", far, "-f", "udp port 6969 and not vlan"}} {
		c := begin(t, 1, program, append(args, "-q", "-a", "duration:2")...)
		begun, done := time.Now(), make(chan bool)
		go func() {
			_ = c.cmd.Wait()
			close(done)
		}()
		for over := false; !over; {
			select {
			case <-done:
				over = true
			case <-time.After(5 * time.Millisecond):
				clitest.NoError(t, send(frame))
				if time.Since(begun) > 10*time.Second {
					t.Fatalf("%v does not stop", args)
				}
			}
		}
	}
}
