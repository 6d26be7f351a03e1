package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/diff"
)

// TestDiffScreens compares screens with golden files.
func TestDiffScreens(t *testing.T) {
	golden, err := filepath.Abs(filepath.Join("testdata", "diff.golden"))
	clitest.NoError(t, err)
	inDocs(t)
	writeReplies(t, "plain.pcap", []string{"Tribes", "Arena"})
	const hostile = "hostile 'name'.pcap"
	writeReplies(t, hostile, clitest.HostileNames)
	var got strings.Builder
	for _, of := range []struct{ width, files string }{
		{"80", "tribes-x-control.pcap tribes-x-lost-2.pcap"},
		{"80", "tribes-x-control.pcap tribes-x-wrong-entry-marker.pcap"},
		{"80", "bloodmasters-real.pcap bloodmasters-real.frag-lost.pcap"},
		{"80", "bz17-c-scorelimit.pcap bz17-c-violations.pcap"},
		{"60", "bz17-c-scorelimit.pcap bz17-c-violations.pcap"},
		{"80", "bz17-c-scorelimit.pcap bz17-var-nosyn.pcap"},
		{"80", "bz17-c-scorelimit.pcap bz17-var-vlan.pcap"},
		{"80", "bz17-c-scorelimit.pcap bz17-var-reorder.pcap"},
		{"80", "bz24-ctf-players.pcap bz24-admin.pcap bz24-query.pcap bz24-ctf-capture.pcap"},
		{"80", "iceball-real-session.pcap iceball-real-session.cutfile.pcap"},
		{"80", "iceball-real-session.pcap tribes-list-40.pcap"},
	} {
		args := []string{"diff"}
		for name := range strings.FieldsSeq(of.files) {
			args = append(args, "testdata/pcap/"+name)
		}
		got.WriteString(diffScreen(t, of.width, args...))
	}
	got.WriteString(diffScreen(t, "80", "diff", "plain.pcap", hostile))
	wiretest.Golden(t, golden, []byte(got.String()))
}

// diffScreen returns a screen. It checks that the screen fits and is printable.
func diffScreen(t *testing.T, width string, args ...string) string {
	t.Helper()
	t.Setenv("COLUMNS", width)
	out, complaints, code := dissect(args...)
	if n := strings.Count(out, "\n"); n > 24 {
		t.Errorf("%s: %d lines", args, n)
	}
	for line := range strings.Lines(out) {
		if fmt.Sprint(clitest.LineWidth(strings.TrimSuffix(line, "\n"))) > width && len(line) > 80 {
			t.Errorf("%s: too wide: %s", args, line)
		}
	}
	if bad := clitest.Unprintable(out); bad != "" {
		t.Errorf("%s: not printable: %s", args, bad)
	}
	return fmt.Sprintf("$ COLUMNS=%s gamedissect %s\n%s%sexit code %d\n\n", width, strings.Join(args, " "), out, complaints, code)
}

// TestDiffFindsFaults checks that a known fault is among the first three differences.
func TestDiffFindsFaults(t *testing.T) {
	for _, of := range []struct{ good, bad, fault string }{
		{"tribes-x-control.pcap", "tribes-x-count-larger-than-packet.pcap", "tribes.count-mismatch"},
		{"tribes-x-control.pcap", "tribes-x-lost-2.pcap", "lists not complete"},
		{"tribes-x-control.pcap", "tribes-x-string-length-overruns.pcap", "tribes.string-overrun"},
		{"tribes-x-control.pcap", "tribes-x-wrong-entry-marker.pcap", "tribes.entry-marker"},
		{"tribes-gamespy-queries.pcap", "tribes-gamespy-x-wrong-sequence.pcap", "tribes.wrong-sequence"},
		{"bloodmasters-real.pcap", "bloodmasters-real.frag-lost.pcap", "ip.fragment-lost"},
		{"bloodmasters-real.pcap", "bloodmasters-malformed.pcap", "bloodmasters.length-mismatch"},
		{"bloodmasters-real.pcap", "bloodmasters-versions.pcapng", "bloodmasters.version-fields"},
		{"bloodmasters-real.pcap", "bloodmasters-gametypes.pcap", "bloodmasters.game-type-range"},
		{"bz17-c-scorelimit.pcap", "bz17-var-lost.pcap", "tcp.gap"},
		{"bz17-c-scorelimit.pcap", "bz17-c-violations.pcap", "bzflag17.length"},
		{"bz17-c-joinleave.pcap", "bz17-c-reject.pcap", "refused: BadType"},
		{"bz24-ctf-players.pcap", "bz24-ctf-capture.pcap", "bzflag24.shot-by-tcp"},
		{"iceball-real-session.pcap", "iceball-badf.pcap", "iceball.announce-length"},
		{"iceball-real-session.pcap", "iceball-cadence.pcap", "iceball.burst-period"},
		{"iceball-real-session.pcap", "iceball-cookies.pcap", "iceball.handshake-wrong-cookie"},
	} {
		c := compared(t, term.ExitFindings, of.good, of.bad)
		first := c.Differences[:min(len(c.Differences), 3)]
		if c.Verdict != diff.Worse || !slices.ContainsFunc(first, func(d diff.Difference) bool {
			return d.Worse && strings.Contains(d.What+d.Note, of.fault)
		}) {
			t.Errorf("%s, %s: %s, and %s is not among %+v", of.good, of.bad, c.Verdict, of.fault, first)
		}
	}
}

// TestDiffOfWrappings checks the verdicts for captures with the same traffic in another file format, on another link or
// delayed, and for captures of other sessions. A truncated capture is not comparable.
func TestDiffOfWrappings(t *testing.T) {
	for _, of := range []struct {
		good, other string
		want        []diff.Verdict
	}{
		{"tribes-list-40.pcap", "tribes-v-list-40-pcapng.pcapng", []diff.Verdict{diff.Same}},
		{"tribes-list-40.pcap", "tribes-v-list-40-sll2.pcap", []diff.Verdict{diff.Same}},
		{"tribes-list-40.pcap", "tribes-v-list-40-snap120.pcap", []diff.Verdict{diff.Incomparable}},
		{"bloodmasters-real.pcap", "bloodmasters-real.bigendian.pcap", []diff.Verdict{diff.Same}},
		{"bloodmasters-real.pcap", "bloodmasters-real.snap96.pcap", []diff.Verdict{diff.Incomparable}},
		{"bz17-c-scorelimit.pcap", "bz17-var-dup.pcap", []diff.Verdict{diff.Same, diff.Different}},
		{"bz17-c-scorelimit.pcap", "bz17-var-ipfrag.pcap", []diff.Verdict{diff.Same}},
		{"bz17-c-scorelimit.pcap", "bz17-var-overlap.pcap", []diff.Verdict{diff.Same}},
		{"bz17-c-scorelimit.pcap", "bz17-var-reorder.pcap", []diff.Verdict{diff.Different}},
		{"bz17-c-scorelimit.pcap", "bz17-var-seqwrap.pcap", []diff.Verdict{diff.Same}},
		{"bz17-c-scorelimit.pcap", "bz17-var-nosyn.pcap", []diff.Verdict{diff.Incomparable}},
		{"bz17-c-joinleave.pcap", "bz17-c-refused.pcap", []diff.Verdict{diff.Different}},
		{"tribes-x-control.pcap", "tribes-list-40.pcap", []diff.Verdict{diff.Different}},
		{"iceball-real-session.pcap", "iceball-http.pcap", []diff.Verdict{diff.Worse}},
		{"iceball-real-session.pcap", "iceball-real-session.frag.pcap", []diff.Verdict{diff.Same}},
		{"iceball-real-session.pcap", "iceball-real-session.cutfile.pcap", []diff.Verdict{diff.Incomparable}},
	} {
		code := term.ExitDone
		switch of.want[0] {
		case diff.Incomparable:
			code = term.ExitTrouble
		case diff.Worse:
			code = term.ExitFindings
		}
		if c := compared(t, code, of.good, of.other); !slices.Contains(of.want, c.Verdict) {
			t.Errorf("%s, %s: %s, want %s: %+v", of.good, of.other, c.Verdict, of.want, c.Differences)
		}
	}
}

// TestDiffOfCopies checks that a capture with two copies of each packet, as from both sides of a router, is not worse.
func TestDiffOfCopies(t *testing.T) {
	for _, name := range []string{"tribes-x-control.pcap", "bloodmasters-real.pcap", "bz17-c-joinleave.pcap"} {
		good := filepath.Join("..", "..", "testdata", "pcap", name)
		var b bytes.Buffer
		packets := clitest.ReadCapture(t, good)
		w := pcapgo.NewWriterNanos(&b)
		clitest.NoError(t, w.WriteFileHeader(65535, layers.LinkType(packets[0].LinkType)))
		for _, p := range packets {
			for _, late := range []int64{0, 20_000} {
				info := gopacket.CaptureInfo{Timestamp: time.Unix(0, p.Time+late), CaptureLength: len(p.Data), Length: p.Length}
				clitest.NoError(t, w.WritePacket(info, p.Data))
			}
		}
		copies := filepath.Join(t.TempDir(), name)
		clitest.NoError(t, os.WriteFile(copies, b.Bytes(), 0o600))
		if out, _, code := dissect("diff", good, copies); code != term.ExitDone {
			t.Errorf("exit code %d\n%s", code, out)
		}
	}
}

// compared returns the comparison of two captures, and checks the exit code.
func compared(t *testing.T, want int, good, other string) (c diff.Comparison) {
	t.Helper()
	folder := filepath.Join("..", "..", "testdata", "pcap")
	out, _, code := dissect("diff", filepath.Join(folder, good), filepath.Join(folder, other), "-T", "json")
	clitest.NoError(t, json.Unmarshal([]byte(out), &c))
	if code != want {
		t.Errorf("%s, %s: exit code %d, want %d", good, other, code, want)
	}
	return c
}
