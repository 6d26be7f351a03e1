// Example prints the messages of a capture file as an engine of package decode finds them. It also prints the Tribes
// messages that gopacket finds without an engine, in single datagrams.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/google/gopacket"
	golayers "github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/layers"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

func main() {
	if err := dissect(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// dissect lets an engine find the messages of a capture, in datagrams and in streams.
func dissect(file string) error {
	source, err := capture.Open(file)
	if err != nil {
		return err
	}
	defer source.Close()
	engine := decode.New(decode.Options{
		Protocols: layers.All(),
		Message:   func(m *decode.Message) { fmt.Println(m.Frame, m.Protocol.Name, m.Name, len(m.Findings)) },
	})
	defer engine.Close()
	golayers.RegisterUDPPortLayerType(28000, tribes.LayerType)
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
		one := gopacket.NewPacket(p.Data, golayers.LinkType(p.LinkType), gopacket.Default)
		if l, ok := one.Layer(tribes.LayerType).(*tribes.Layer); ok {
			fmt.Println("a datagram by itself:", l.Message.Name)
		}
	}
}
