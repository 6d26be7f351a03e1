package capture_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/capture"
)

// child returns a command that runs the named test in a new process of this test binary. The test recognises that
// process by the environment variable.
func child(test, variable, value string) *exec.Cmd {
	c := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.count=1")
	c.Env = append(os.Environ(), variable+"="+value)
	return c
}

const killed = "GAMEDISSECT_TEST_KILLED"

// After a process is killed, all packets that it has flushed can be read. If it is killed during a write, Linux may
// have written only some pages. The reader then returns all complete packets and reports that the file is truncated.
func TestKilledWriter(t *testing.T) {
	if name := os.Getenv(killed); name != "" {
		writeUntilKilled(name, strings.Contains(name, "busy"), strings.Contains(name, "each"))
	}
	for i, base := range []string{"idle.pcapng", "idle-each.pcap", "idle-each.pcapng", "idle.pcap", "busy.pcapng", "busy.pcap", "busy-each.pcapng"} {
		name := filepath.Join(t.TempDir(), base)
		c := child("TestKilledWriter", killed, name)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for begun := time.Now(); ; time.Sleep(time.Millisecond) {
			if _, err := os.Stat(name + ".ready"); err == nil {
				break
			}
			if time.Since(begun) > 30*time.Second {
				t.Fatal("the child did not write in time")
			}
		}
		time.Sleep(time.Duration(5+10*i) * time.Millisecond)
		if err := c.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = c.Wait() // error ignored: the child was killed
		if stderr.Len() > 0 {
			t.Errorf("%s: %s", base, &stderr)
		}
		f, err := capture.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(f)
		busy, each := strings.Contains(base, "busy"), strings.Contains(base, "each")
		if e := fault(err); err != nil && (!busy || !e.Truncated || e.Packet != len(got)) {
			t.Errorf("%s: %d packets, then %v", base, len(got), err)
		}
		if len(got) < killedAfter-200 || each && len(got) < killedAfter || !busy && len(got) > killedAfter {
			t.Errorf("%s: %d packets", base, len(got))
		}
		for i, p := range got {
			if want := killedPacket(i); !bytes.Equal(p.Data, want.Data) || p.Time != want.Time {
				t.Fatalf("%s: packet %d is %+v", base, i+1, p)
			}
		}
		f.Close()
	}
}

const killedAfter = 1000 // packets

var killedData = bytes.Repeat([]byte("data"), 300)

func killedPacket(i int) capture.Packet {
	return capture.Packet{Data: killedData[:i*37%1200], Time: int64(i), LinkType: 1, Comments: []string{"comment"}}
}

// writeUntilKilled writes killedAfter packets, creates the file NAME.ready, and then waits or keeps writing.
func writeUntilKilled(name string, busy, each bool) {
	w, err := capture.Create(name, capture.WriterOptions{Each: each})
	if err != nil {
		panic(err)
	}
	begun := time.Now()
	for i := 0; time.Since(begun) < time.Minute; i++ {
		p := killedPacket(i)
		if err := w.Write(&p); err != nil {
			panic(err)
		}
		if i+1 == killedAfter {
			if err := os.WriteFile(name+".ready", nil, 0o600); err != nil {
				panic(err)
			}
			if !busy {
				time.Sleep(time.Minute)
			}
		}
	}
	panic("not killed within a minute")
}
