package cli

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// In odd files, and in files with odd packets, tshark shows each message at the same frame as -T json.
func TestWiresharkOddCaptures(t *testing.T) {
	needTshark(t)
	dir := t.TempDir()
	mixed := mixedInterfaces(t)
	plain := clitest.ReadFile(t, filepath.Join(clitest.Captures, "bz17-c-joinleave.pcap"))
	escapes := bytes.ReplaceAll(plain, []byte("Solo"), []byte("\x1b[2J"))
	if bytes.Equal(escapes, plain) {
		t.Fatal("there is no name to replace")
	}
	list := clitest.ReadFile(t, filepath.Join(clitest.Captures, "iceball-http.pcap"))
	kinds := bytes.ReplaceAll(list, []byte(`"0.2.1-37", "mode": "tc"`), []byte(`9999999999, "mode": "tc"`)) // too large for 32 bits
	kinds = bytes.ReplaceAll(kinds, []byte(`"0.2.1-37"`), []byte("true      "))
	packed, err := zstd.NewWriter(nil)
	clitest.NoError(t, err)
	defer packed.Close()
	for name, file := range map[string][]byte{
		"interfaces.pcapng": mixed, "cut.pcapng": mixed[:len(mixed)*2/3], "escapes.pcap": escapes,
		"kinds.pcap": kinds, "packed.pcapng.zst": packed.EncodeAll(mixed, nil),
	} {
		clitest.NoError(t, os.WriteFile(filepath.Join(dir, name), file, 0o600))
	}
	for _, name := range []string{
		filepath.Join(dir, "interfaces.pcapng"), filepath.Join(dir, "cut.pcapng"), filepath.Join(dir, "escapes.pcap"),
		filepath.Join(dir, "kinds.pcap"), filepath.Join(dir, "packed.pcapng.zst"), filepath.Join(clitest.Captures, "../odd/future.pcapng"),
	} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			if list, _ := expectedInTshark(t, name); len(list) == 0 {
				t.Fatal("there is no message")
			}
			compareWithTshark(t, name)
		})
	}
}

// mixedInterfaces returns a pcapng file whose interfaces have different link types and clock resolutions. The packets
// come from the interfaces in turn. One interface has a link type that gamedissect cannot decode.
func mixedInterfaces(t *testing.T) []byte {
	t.Helper()
	const ethernet, raw, usb, ethernetHeader = 1, 101, 220, 14
	clocks := []struct {
		link       uint16
		resolution byte  // in the encoding of if_tsresol
		second     int64 // units per second
	}{
		{ethernet, 6, 1e6}, {raw, 9, 1e9}, {ethernet, 3, 1e3}, {ethernet, 0x80 | 20, 1 << 20}, {usb, 6, 1e6}, {raw, 0, 1},
	}
	order := binary.LittleEndian
	var file []byte
	block := func(kind uint32, body []byte) {
		body = append(body, make([]byte, -len(body)&3)...)
		file = order.AppendUint32(order.AppendUint32(file, kind), uint32(len(body)+12))
		file = order.AppendUint32(append(file, body...), uint32(len(body)+12))
	}
	section := order.AppendUint32(nil, 0x1a2b3c4d)
	block(0x0a0d0d0a, order.AppendUint64(append(section, 1, 0, 0, 0), 1<<64-1))
	for _, c := range clocks {
		b := order.AppendUint32(order.AppendUint32(nil, uint32(c.link)), 262144)
		block(1, append(b, 9, 0, 1, 0, c.resolution, 0, 0, 0, 0, 0, 0, 0))
	}
	from, err := capture.Open(filepath.Join(clitest.Captures, "tribes-list-40.pcap"))
	clitest.NoError(t, err)
	defer from.Close()
	var p capture.Packet
	for i := 0; ; i++ {
		if err := from.Next(&p); err == io.EOF {
			return file
		} else if err != nil {
			t.Fatal(err)
		}
		at := i % len(clocks)
		c, data := &clocks[at], p.Data
		if c.link == raw {
			data = data[ethernetHeader:]
		}
		stamp := p.Time/1e9*c.second + p.Time%1e9*c.second/1e9
		b := order.AppendUint32(nil, uint32(at))
		b = order.AppendUint32(order.AppendUint32(b, uint32(stamp>>32)), uint32(stamp))
		b = order.AppendUint32(order.AppendUint32(b, uint32(len(data))), uint32(len(data)))
		block(6, append(b, data...))
	}
}
