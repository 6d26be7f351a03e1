package cli

import (
	"encoding/hex"
	"path/filepath"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/layers"
)

// TestSamplesAreReadable reads the written samples with the tests' reader of samples. They must contain every distinct
// message of a capture, and nothing else.
func TestSamplesAreReadable(t *testing.T) {
	for _, name := range []string{"bloodmasters-versions.pcapng", "iceball-real-session.pcap", "tribes-list-40.pcap", "bz17-c-reject.pcap", "bz24-admin.pcap"} {
		dir := t.TempDir()
		file := filepath.Join(clitest.Captures, name)
		shown(t, "samples", "-r", file, "-o", dir, "--limit", "0")
		want := make(map[string]bool)
		e := decode.New(decode.Options{Protocols: layers.All(), Message: func(m *decode.Message) {
			want[m.Direction.String()+" "+m.Transport.String()+" "+hex.EncodeToString(m.Data)] = true
		}})
		for _, p := range clitest.ReadCapture(t, file) {
			frame := session.FrameOf(&p)
			e.Frame(&frame)
		}
		e.Close()
		list, err := wiretest.Samples(dir)
		clitest.NoError(t, err)
		got := make(map[string]bool)
		for _, s := range list {
			key := s.Direction.String() + " " + s.Transport.String() + " " + hex.EncodeToString(s.Data)
			if got[key] = true; !want[key] {
				t.Errorf("%s: %s is not a message of the capture: %s", name, s.Name, key)
			}
		}
		for key := range want {
			if !got[key] {
				t.Errorf("%s: no sample of %s", name, key)
			}
		}
	}
}
