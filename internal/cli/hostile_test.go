package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"
	glayers "github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/layers/bloodmasters"
)

// TestHostileJSON checks that hostile names have the same values after encoding to JSON and decoding.
func TestHostileJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hostile.pcap")
	writeReplies(t, file, clitest.HostileNames)
	out, _, _ := dissect("-T", "json", "-r", file)
	i := 0
	for line := range strings.Lines(out) {
		var m struct {
			Fields struct {
				Title    string
				TitleHex string `json:"title_hex"`
			}
		}
		clitest.NoError(t, json.Unmarshal([]byte(line), &m))
		want := clitest.HostileNames[i]
		if m.Fields.TitleHex != "" {
			want = latin1(want)
		}
		if m.Fields.Title != want {
			t.Errorf("title %q, want %q", m.Fields.Title, want)
		}
		i++
	}
	if i != len(clitest.HostileNames) {
		t.Errorf("%d messages, want %d", i, len(clitest.HostileNames))
	}
}

func latin1(s string) string {
	var b strings.Builder
	for _, x := range []byte(s) {
		b.WriteRune(rune(x))
	}
	return b.String()
}

// writeReplies writes a capture of server info replies with these titles.
func writeReplies(t *testing.T, file string, titles []string) {
	t.Helper()
	var b bytes.Buffer
	w := pcapgo.NewWriter(&b)
	clitest.NoError(t, w.WriteFileHeader(65535, glayers.LinkTypeEthernet))
	for _, title := range titles {
		frame := reply(t, title)
		info := gopacket.CaptureInfo{Timestamp: time.Unix(1e9, 0), CaptureLength: len(frame), Length: len(frame)}
		clitest.NoError(t, w.WritePacket(info, frame))
	}
	clitest.NoError(t, os.WriteFile(file, b.Bytes(), 0o644))
}

func reply(t *testing.T, title string) []byte {
	t.Helper()
	ip := &glayers.IPv4{Version: 4, TTL: 64, Protocol: glayers.IPProtocolUDP, SrcIP: []byte{10, 0, 0, 1}, DstIP: []byte{10, 0, 0, 2}}
	udp := &glayers.UDP{SrcPort: bloodmasters.Port, DstPort: 40000}
	clitest.NoError(t, udp.SetNetworkLayerForChecksum(ip))
	game := &bloodmasters.Layer{Code: bloodmasters.CodeServerInfo}
	game.Body = &bloodmasters.ServerInfoReply{
		Title: []byte(title), Map: []byte(title), Version: 29, MaxClients: 8, MaxPlayers: 8, NumPlayers: 1, Build: []byte(title),
		Clients: []bloodmasters.Client{{Name: []byte(title)}},
	}
	buf := gopacket.NewSerializeBuffer()
	err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true},
		&glayers.Ethernet{SrcMAC: make([]byte, 6), DstMAC: make([]byte, 6), EthernetType: glayers.EthernetTypeIPv4}, ip, udp, game)
	clitest.NoError(t, err)
	return bytes.Clone(buf.Bytes())
}

// TestHostileFileNames checks that a file name can neither fake lines on standard error nor control the terminal.
func TestHostileFileNames(t *testing.T) {
	_, stderr, code := dissect("-r", "no\x1b[31m\nsuch.pcap")
	if code != term.ExitTrouble || strings.Count(stderr, "\n") != 1 || strings.ContainsRune(stderr, '\x1b') {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
}
