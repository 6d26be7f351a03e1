package decode_test

import (
	"fmt"
	"io"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
	"github.com/gamedissect/gamedissect/layers/bloodmasters"
)

// dissect passes the packets of a capture file to an engine.
func dissect(file string, o decode.Options) error {
	source, err := capture.Open(file)
	if err != nil {
		return err
	}
	defer source.Close()
	engine := decode.New(o)
	defer engine.Close() // reports what is still pending
	var p capture.Packet
	for {
		if err := source.Next(&p); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		engine.Frame(&decode.Frame{
			Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number, File: p.File,
		})
	}
}

// The caller passes the frames of a capture to an engine, which calls a function for each message. The content of a
// message is the body of its layer, a struct from the protocol's package.
func Example() {
	err := dissect("../testdata/pcap/bloodmasters-gametypes.pcap", decode.Options{
		Protocols: layers.All(),
		Message: func(m *decode.Message) {
			reply, ok := m.Layer.Core().Body.(*bloodmasters.ServerInfoReply)
			if !ok || m.Frame > 15 {
				return
			}
			fmt.Printf("packet %d, %s: %s plays %s\n", m.Frame, m.Src, reply.Title, reply.Map)
			for _, f := range m.Findings {
				fmt.Printf("  %s: %s\n", f.Rule.Severity, f.Text)
			}
		},
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// packet 2, 127.0.0.1:6960: DM plays mayan
	// packet 5, 127.0.0.1:6961: TDM locked plays darktower
	// packet 7, 127.0.0.1:6962: CTF plays cemetery
	// packet 9, 127.0.0.1:6963: Scavenger plays dampplace
	// packet 11, 127.0.0.1:6964: Team Scavenger plays rockbottom
	// packet 13, 127.0.0.1:6965: gametype five plays mayan
	//   warning: game type 5, the highest is 4
	// packet 15, 127.0.0.1:6966: gametype 255 plays mayan
	//   warning: game type 255, the highest is 4
}

// Trackers follow a sequence of messages. They report measured values and events.
func ExampleOptions_value() {
	err := dissect("../testdata/pcap/bz24-ctf-players.pcap", decode.Options{
		Protocols: layers.All(),
		Value: func(v *wire.Value) {
			if v.Event && v.What == "kill" {
				fmt.Printf("packet %d: %s\n", v.Frame, v.Text)
			}
		},
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// packet 165: erin kills frank with a shot
	// packet 197: frank kills erin with a shot
	// packet 249: frank kills erin with a shot
	// packet 293: frank kills erin with a shot
	// packet 310: erin kills frank with a shot
	// packet 332: erin kills frank with a shot
	// packet 350: frank kills erin with a shot
}
