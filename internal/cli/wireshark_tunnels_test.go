package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip/iptest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// notInTshark are the tunnels and links that tshark 4.0 cannot read, or can read only with options.
var notInTshark = []string{
	"Broadcom's tag", "Broadcom's tag before addresses", "Marvell's tag", "Marvell's tag with its EtherType",
	"Marvell's tag after an EtherType", "VXLAN at Linux's port", "pseudowire", "pseudowire with a control word",
	"MPLS alone", "Wi-Fi, aggregated", "PPI", "VXLAN-GPE without a number of its content", "L2TPv3 in UDP",
	"L2TPv3 with a cookie and a sublayer", "WCCP of an alternative bucket", "NFLOG of another host",
}

// TestWiresharkReadsTunnels compares the content of tunnels and unusual links with what tshark finds in them.
func TestWiresharkReadsTunnels(t *testing.T) {
	needTshark(t)
	packet := []byte{0x45, 0, 0, 36, 0, 1, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 198, 51, 100, 2,
		0x6d, 0x61, 0x6d, 0x60, 0, 16, 0, 0, 0x10, 3, 0xff, 0, 0x12, 0x34, 0, 0}
	name := filepath.Join(t.TempDir(), "tunnels.pcapng")
	file, err := os.Create(name)
	clitest.NoError(t, err)
	w, err := capture.NewWriter(file, name, capture.WriterOptions{})
	clitest.NoError(t, err)
	tunnels := iptest.Tunnels()
	for i, tunnel := range tunnels {
		data := tunnel.Wrap(packet)
		clitest.NoError(t, w.Write(&capture.Packet{
			Data: data, Length: len(data), LinkType: capture.LinkType(tunnel.Link), Interface: int(tunnel.Link), Time: int64(i),
		}))
	}
	clitest.NoError(t, w.Close())
	out, err := exec.Command("tshark", "-r", name, "-T", "fields", "-E", "occurrence=l",
		"-e", "ip.src", "-e", "udp.port", "-e", "udp.payload").Output()
	clitest.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(tunnels) {
		t.Fatalf("%d lines for %d packets", len(lines), len(tunnels))
	}
	for i, tunnel := range tunnels {
		if got := lines[i] == "192.0.2.1\t28000\t1003ff0012340000"; got == slices.Contains(notInTshark, tunnel.Name) {
			t.Errorf("%s: tshark reads %q", tunnel.Name, lines[i])
		}
	}
	frames, _, _ := dissect("-r", name, "-T", "fields", "-e", "frame.number", "-Y", "tribes")
	if n := strings.Count(frames, "\n"); n != len(tunnels) {
		t.Errorf("%d messages in %d packets", n, len(tunnels))
	}
}
