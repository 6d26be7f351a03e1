package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
)

// peers are programs to compare with -q. Programs that are not installed are left out.
var peers = [][]string{{"capinfos"}, {"tcpdump", "-nr"}, {"tshark", "-q", "-z", "conv,tcp", "-z", "conv,udp", "-r"}}

// measurePeers prints a table for each input: gamedissect, two ways to decode with gopacket, and the other programs.
func measurePeers(ctx context.Context, o *options, names []string) error {
	return o.withInputs(ctx, names, func(in *input, p *programs, file string, packets, bytes int64) error {
		rows := []row{
			{name: "read only", command: []string{p.self, "read", file}},
			{name: "DecodingLayerParser, map", command: []string{p.self, "parser", file}},
			{name: "NewPacket", command: []string{p.self, "packets", file}},
			{name: "gamedissect -q", command: []string{p.gamedissect, "-r", file, "-q"}},
		}
		for _, command := range peers {
			if path, err := exec.LookPath(command[0]); err == nil {
				rows = append(rows, row{name: command[0], command: append(append([]string{path}, command[1:]...), file)})
			}
		}
		return o.print(ctx, in, rows, packets, bytes)
	})
}

// runParser decodes each packet of a file with a DecodingLayerParser, gopacket's fastest way, and counts packets per
// conversation in a map.
func runParser(_ context.Context, _ *options, args []string) error {
	var (
		ethernet layers.Ethernet
		ip4      layers.IPv4
		ip6      layers.IPv6
		tcp      layers.TCP
		udp      layers.UDP
		payload  gopacket.Payload
		decoded  []gopacket.LayerType
	)
	parser := gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet, &ethernet, &ip4, &ip6, &tcp, &udp, &payload)
	parser.IgnoreUnsupported = true
	conversations := make(map[[2]gopacket.Flow]int)
	return eachPacket(args[0], func(data []byte) {
		if parser.DecodeLayers(data, &decoded) != nil {
			return
		}
		var flows [2]gopacket.Flow
		for _, t := range decoded {
			switch t {
			case layers.LayerTypeIPv4:
				flows[0] = ip4.NetworkFlow()
			case layers.LayerTypeIPv6:
				flows[0] = ip6.NetworkFlow()
			case layers.LayerTypeTCP:
				flows[1] = tcp.TransportFlow()
			case layers.LayerTypeUDP:
				flows[1] = udp.TransportFlow()
			}
		}
		conversations[flows]++
	})
}

// runPackets decodes each packet of a file with NewPacket, gopacket's usual way.
func runPackets(_ context.Context, _ *options, args []string) error {
	options := gopacket.DecodeOptions{NoCopy: true}
	return eachPacket(args[0], func(data []byte) { gopacket.NewPacket(data, layers.LinkTypeEthernet, options) })
}

// eachPacket calls use for each packet of a file. use must not keep the bytes.
func eachPacket(name string, use func(data []byte)) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // harmless: the file was only read
	r, err := pcapgo.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return err
	}
	for {
		data, _, err := r.ZeroCopyReadPacketData()
		if err != nil {
			return ended(err)
		}
		use(data)
	}
}
