package decode_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/ip/iptest"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// tunnelled are captures that together contain every protocol, and no truncated packet.
var tunnelled = []string{
	"bloodmasters-gametypes.pcap", "iceball-strings.pcap", "bz17-c-joinleave.pcap", "bz24-ctf-players.head.pcap",
	"tribes-x-control.pcap",
}

// loadIP returns the IP packets of a capture.
func loadIP(t *testing.T, name string) (frames []decode.Frame) {
	t.Helper()
	for i, f := range decode.FramesIn("../testdata/pcap/" + name) {
		if at, ok := ip.Locate(f.Link, f.Data, f.Length); ok {
			f.Data, f.Link, f.Number = f.Data[at.Network:at.End], ip.LinkRaw, i+1
			f.Length = len(f.Data)
			frames = append(frames, f)
		}
	}
	return frames
}

// outputOf returns all output of an engine for frames.
func outputOf(frames []decode.Frame) (all []string, c decode.Counters) {
	e := decode.New(decode.Options{
		Protocols: layers.All(), Others: true,
		Message: func(m *decode.Message) {
			all = append(all, fmt.Sprintf("%+v %v %s %x at %d %v", m.Place, m.Direction, m.Name, m.Data, m.At, m.Findings))
		},
		Finding: func(f *wire.TrafficFinding) { all = append(all, fmt.Sprintf("%+v %s %s", f.Place, f.Rule.ID, f.Text)) },
	})
	for i := range frames {
		e.Frame(&frames[i])
	}
	e.Close()
	c = e.Counters()
	for _, o := range e.Others() {
		c.Other -= o.Packets
	}
	if c.Other != 0 {
		all = append(all, fmt.Sprintf("%d packets of other traffic without a kind", c.Other))
	}
	return all, e.Counters()
}

// TestTunnels sends complete conversations through every tunnel. The output must be the same as without the
// tunnel.
func TestTunnels(t *testing.T) {
	for _, name := range tunnelled {
		plain := loadIP(t, name)
		want, counted := outputOf(plain)
		if len(want) == 0 {
			t.Fatalf("%s: no output", name)
		}
		for _, tunnel := range iptest.Tunnels() {
			wrapped := slices.Clone(plain)
			for i := range wrapped {
				f := &wrapped[i]
				f.Data, f.Link = tunnel.Wrap(f.Data), tunnel.Link
				f.Length = len(f.Data)
			}
			got, c := outputOf(wrapped)
			if !slices.Equal(got, want) {
				t.Errorf("%s in %s: %d lines of output, without the tunnel %d; %s", name, tunnel.Name, len(got), len(want),
					firstDifference(got, want))
			}
			// If a Wi-Fi frame contains several packets, the frame counts only for the first.
			if tunnel.Name != "Wi-Fi, aggregated" && (c.Recognised != counted.Recognised || c.Other != counted.Other) {
				t.Errorf("%s in %s: %d recognised and %d other packets, without the tunnel %d and %d", name, tunnel.Name,
					c.Recognised, c.Other, counted.Recognised, counted.Other)
			}
		}
	}
}

func firstDifference(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] + "\nwant\n" + b[i]
		}
	}
	return "one output is shorter"
}

// TestTunnelsInFragments splits each packet of a tunnel into two fragments and passes the second fragment first.
func TestTunnelsInFragments(t *testing.T) {
	for _, name := range []string{"tribes-x-control.pcap", "bz17-var-ipfrag.pcap"} { // the second contains fragments
		checkInFragments(t, name)
	}
}

func checkInFragments(t *testing.T, name string) {
	t.Helper()
	plain := loadIP(t, name)
	for i := range plain {
		plain[i].Number = 2 * plain[i].Number
	}
	want, _ := outputOf(plain)
	for _, tunnel := range iptest.Tunnels() {
		var wrapped []decode.Frame
		for i := range plain {
			frame := tunnel.Wrap(plain[i].Data)
			if tunnel.Link != ip.LinkEthernet || frame[12] != 8 || frame[13] != 0 {
				continue // not over IPv4
			}
			outer := frame[14:]
			binary.BigEndian.PutUint16(outer[4:], uint16(i))
			half := (len(outer) - 20) / 2 &^ 7
			for n, part := range [][]byte{outer[20+half:], outer[20 : 20+half]} {
				f := plain[i]
				f.Number += n - 1
				f.Data = append(slices.Clone(outer[:20]), part...)
				binary.BigEndian.PutUint16(f.Data[2:], uint16(len(f.Data)))
				binary.BigEndian.PutUint16(f.Data[6:], []uint16{uint16(half / 8), 0x2000}[n])
				f.Length = len(f.Data)
				wrapped = append(wrapped, f)
			}
		}
		if got, _ := outputOf(wrapped); len(wrapped) > 0 && !slices.Equal(got, want) {
			t.Errorf("%s in %s in fragments: %d lines of output, without the tunnel %d; %s", name, tunnel.Name, len(got), len(want),
				firstDifference(got, want))
		}
	}
}

// TestPortsOfTunnels checks that a game is recognised if a client uses the port of a tunnel.
func TestPortsOfTunnels(t *testing.T) {
	plain := loadIP(t, "bloodmasters-gametypes.pcap")
	want, _ := outputOf(plain)
	for _, port := range []uint16{4789, 8472, 6081, 2152, 3544, 4790, 37008, 1701} {
		moved := slices.Clone(plain)
		for i := range moved {
			f := &moved[i]
			f.Data = slices.Clone(f.Data)
			for _, at := range []int{20, 22} {
				if p := binary.BigEndian.Uint16(f.Data[at:]); p > 32767 { // a client's port
					binary.BigEndian.PutUint16(f.Data[at:], port)
				}
			}
		}
		if got, _ := outputOf(moved); len(got) != len(want) {
			t.Errorf("a client at port %d: %d lines of output, want %d", port, len(got), len(want))
		}
	}
}
