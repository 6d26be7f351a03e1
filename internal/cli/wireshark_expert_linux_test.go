package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/wireshark"
)

var expertLine = regexp.MustCompile(`(?m)^ +(\d+) +Protocol +GAMEDISSECT `)

// expertCount counts the findings in tshark's statistics of expert information.
func expertCount(out string) (n int) {
	for _, match := range expertLine.FindAllStringSubmatch(out, -1) {
		count, _ := strconv.Atoi(match[1])
		n += count
	}
	return n
}

// Expert statistics, which need no tree, count the findings of -T json, and the script does not fail.
func TestWiresharkExpertStatistics(t *testing.T) {
	s := newShark(t)
	for _, name := range []string{
		"bloodmasters-malformed.pcap", "bz17-c-joinleave.pcap", "bz24-query.pcap", "bz24-reject.pcap", "tribes-x-control.pcap",
	} {
		name = filepath.Join(clitest.Captures, name)
		_, found := expectedInTshark(t, name)
		prepared, _ := s.run(s.program, "wireshark", "--tshark", name, "-q", "-z", "expert")
		opened, _ := s.run("tshark", "-2", "-r", name, "-q", "-z", "expert")
		for mode, out := range map[string]string{"prepared": prepared, "opened": opened} {
			if n := expertCount(out); n != len(found) || strings.Contains(out, "Lua Error") {
				t.Errorf("%s, %s: %d findings, want %d\n%s", name, mode, n, len(found), out)
			}
		}
	}
}

// Names that players chose do not move the cursor, in any part of a line.
func TestWiresharkEscapesNames(t *testing.T) {
	s := newShark(t)
	for name, words := range map[string][2]string{
		"bz17-c-joinleave.pcap": {"Solo", "\x1b[2J"}, "iceball-http.pcap": {`number`, `\u001b`},
	} {
		whole := clitest.ReadFile(t, filepath.Join(clitest.Captures, name))
		changed := bytes.ReplaceAll(whole, []byte(words[0]), []byte(words[1]))
		if bytes.Equal(changed, whole) {
			t.Fatalf("%s: there is no name to replace", name)
		}
		file := filepath.Join(t.TempDir(), name)
		clitest.NoError(t, os.WriteFile(file, changed, 0o600))
		prepared, _ := s.run(s.program, "wireshark", "--tshark", file, "-V")
		opened, _ := s.run("tshark", "-V", "-r", file)
		for mode, out := range map[string]string{"prepared": prepared, "opened": opened} {
			control := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == 0x7f }
			escaped := strings.Contains(out, `\x1b`) || strings.Contains(out, `\033`) // by this program or tshark
			if at := strings.IndexFunc(out, control); at >= 0 || !escaped {
				t.Errorf("%s, %s: %q", name, mode, out[max(0, at-200):at+50])
			}
		}
	}
}

// The fields that link questions and answers exist both in gamedissect wireshark and in a capture that tshark opens
// itself. In the second case, the fields of a question appear only when tshark dissects the packet a second time (-2).
func TestWiresharkAnswers(t *testing.T) {
	s := newShark(t)
	file := filepath.Join(clitest.Captures, "bz24-query.pcap")
	for _, name := range []string{"question_in", "answer_in", "response_time"} {
		prepared, _ := s.run(s.program, "wireshark", "--tshark", file, "-Y", name)
		opened, _ := s.run("tshark", "-2", "-r", file, "-Y", name)
		if prepared == "" || opened != prepared {
			t.Errorf("%s (-prepared +opened):\n%s", name, cmp.Diff(prepared, opened))
		}
	}
}

// An error in a file is reported once, and tshark shows the readable part of the file.
func TestWiresharkReportsErrorOnce(t *testing.T) {
	needTshark(t)
	out, stderr, code := dissect("wireshark", "--tshark", filepath.Join(clitest.Captures, "iceball-real-session.cutfile.pcap"))
	if strings.Count(stderr, "ends inside a record") != 1 || code != term.ExitTrouble || !strings.Contains(out, "iceball") {
		t.Errorf("code %d: %s%.300s", code, stderr, out)
	}
}

// cutShort writes a capture whose first packets are cut to their headers. The packets have an Ethernet header or no
// link header.
func cutShort(t *testing.T, name string, link capture.LinkType) string {
	t.Helper()
	in, err := capture.Open(filepath.Join(clitest.Captures, name))
	clitest.NoError(t, err)
	defer func() { _ = in.Close() }() // harmless: the file was only read
	file := filepath.Join(t.TempDir(), "cut.pcap")
	out, err := capture.Create(file, capture.WriterOptions{Format: "pcap"})
	clitest.NoError(t, err)
	p := capture.Packet{}
	for n := 0; in.Next(&p) == nil; n++ {
		if n < 300 {
			p.Data = p.Data[:min(len(p.Data), 64)]
		}
		if link == capture.LinkType(ip.LinkRaw) {
			p.Data, p.Length = p.Data[14:], p.Length-14
		}
		p.LinkType, p.Interface = link, 0
		clitest.NoError(t, out.Write(&p))
	}
	clitest.NoError(t, out.Close())
	return file
}

// Packets that are cut short appear in Wireshark as they do without the script, and cause no error in the script.
func TestWiresharkOfCutPackets(t *testing.T) {
	s := newShark(t)
	for _, link := range []capture.LinkType{capture.LinkType(ip.LinkEthernet), capture.LinkType(ip.LinkRaw)} {
		file := cutShort(t, "bz24-ctf-capture.pcap", link)
		alone, _ := s.run("env", wireshark.NoStub+"=1", "tshark", "-r", file, "-Y", "tcp")
		opened, _ := s.run("tshark", "-r", file, "-Y", "tcp")
		if want, got := strings.Count(alone, "\n"), strings.Count(opened, "\n"); got != want || want < 500 {
			t.Errorf("link type %d: %d packets of TCP, want %d", link, got, want)
		}
		prepared, _ := s.run(s.program, "wireshark", "--tshark", file, "-V")
		opened, _ = s.run("tshark", "-V", "-r", file)
		for mode, out := range map[string]string{"prepared": prepared, "opened": opened} {
			if _, err, found := strings.Cut(out, "Lua Error"); found {
				t.Errorf("link type %d, %s: %.200q", link, mode, err)
			}
		}
		if link == capture.LinkType(ip.LinkEthernet) && !strings.Contains(opened, "BZFlag 2.4") {
			t.Error("the packets after the cut ones are not dissected")
		}
	}
}
