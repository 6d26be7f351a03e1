package tribes_test

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire/print"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// reply is the UDP payload of a master's list with one server.
var reply = []byte("\x10\x06\x01\x01\x05\x00\x00\x66\x06Master\x07Welcome\x00\x01\x06\x0a\x00\x00\x02\x61\x6d")

// frame returns a payload from a master's port in Ethernet, IPv4 and UDP.
func frame(payload []byte) []byte {
	ethernet := &layers.Ethernet{
		SrcMAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}, DstMAC: net.HardwareAddr{2, 0, 0, 0, 0, 2},
		EthernetType: layers.EthernetTypeIPv4,
	}
	ip := &layers.IPv4{
		Version: 4, TTL: 64, Protocol: layers.IPProtocolUDP,
		SrcIP: net.IPv4(10, 0, 0, 9), DstIP: net.IPv4(10, 0, 0, 1),
	}
	udp := &layers.UDP{SrcPort: tribes.MasterPort, DstPort: 4000}
	if err := udp.SetNetworkLayerForChecksum(ip); err != nil {
		panic(err)
	}
	buf := gopacket.NewSerializeBuffer()
	opts := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
	if err := gopacket.SerializeLayers(buf, opts, ethernet, ip, udp, gopacket.Payload(payload)); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

// If the master's port is registered, gopacket decodes its packets with this layer.
func Example() {
	layers.RegisterUDPPortLayerType(tribes.MasterPort, tribes.LayerType)

	packet := gopacket.NewPacket(frame(reply), layers.LayerTypeEthernet, gopacket.Default)
	for _, l := range packet.Layers() {
		fmt.Println(l.LayerType())
	}
	layer := packet.Layer(tribes.LayerType).(*tribes.Layer)
	list := layer.Body.(*tribes.MasterListReply)
	fmt.Printf("%s says %q\n", list.Name, list.MOTD)
	for i := range list.Servers {
		fmt.Println(list.Servers[i].AddrPort())
	}
	// Output:
	// Ethernet
	// IPv4
	// UDP
	// Tribes
	// Master says "Welcome"
	// 10.0.0.2:28001
}

// A parser reuses the same layers for many packets, without allocating.
func Example_parser() {
	layers.RegisterUDPPortLayerType(tribes.MasterPort, tribes.LayerType)

	var (
		ethernet layers.Ethernet
		ip       layers.IPv4
		udp      layers.UDP
		layer    tribes.Layer
		decoded  []gopacket.LayerType
	)
	parser := gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet, &ethernet, &ip, &udp, &layer)
	if err := parser.DecodeLayers(frame(reply), &decoded); err != nil {
		fmt.Println(err)
	}
	fmt.Println(decoded)
	fmt.Println(layer.Core().Message.Name, layer.Direction)
	// Output:
	// [Ethernet IPv4 UDP Tribes]
	// MasterListReply s2c
}

// The meaning of type 0x03 depends on the sender and the receiver of the packet.
func Example_peers() {
	query := []byte("\x10\x03\xff\x00\x07\x00\x00\x00")
	var layer tribes.Layer
	for _, peers := range []tribes.Peers{
		{Known: true, ToMaster: true},
		{Known: true, FromMaster: true},
		{Known: true},
	} {
		layer.Peers = peers
		if err := layer.DecodeFromBytes(query, gopacket.NilDecodeFeedback); err != nil {
			fmt.Println(err)
		}
		fmt.Println(layer.Core().Message.Name)
	}
	// Output:
	// MasterQuery
	// VerificationRequest
	// PingQuery
}

// SerializeTo writes a message. With FixLengths, it computes the number of servers.
func ExampleLayer_SerializeTo() {
	server := netip.MustParseAddr("10.0.0.2").As4()
	layer := &tribes.Layer{Version: tribes.Version, Type: tribes.TypeMasterListReply}
	layer.Body = &tribes.MasterListReply{
		Number: 1, Total: 1, Key: [2]byte{5, 0}, MasterID: 102,
		Name: []byte("Master"), MOTD: []byte("Welcome"),
		Servers: []tribes.Server{{Marker: 6, IP: server, Port: 28001}},
	}
	buf := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true}, layer); err != nil {
		fmt.Println(err)
	}
	fmt.Println(string(buf.Bytes()) == string(reply))
	// Output:
	// true
}

// Annotate builds a tree of the fields. The printed tree shows the offset and value of each field, and the findings.
func ExampleLayer_annotated() {
	broken := append([]byte(nil), reply...)
	broken[25] = 4 // an entry must begin with 6

	var layer tribes.Layer
	if err := layer.DecodeFromBytes(broken, gopacket.NilDecodeFeedback); err != nil {
		fmt.Println(err)
	}
	var tree wire.Tree
	layer.Annotate(&layer, &tree)
	var printer print.Printer
	fmt.Printf("%s", printer.Append(nil, &tree, layer.Contents, layer.Findings()))
	// Output:
	//           0  version               16        Tribes 1.11
	//           1  type                  6         MasterListReply
	//           2  packet_number         1
	//           3  packet_total          1
	//         4-5  key                   05 00
	//         6-7  master_id             102
	//        8-14  master_name           "Master"
	//       15-22  motd                  "Welcome"
	//          23  reserved              0
	//          24  number_of_servers     1
	//       25-31  servers[0]            reserved 4  ip 10.0.0.2  port 28001
	//              ! tribes.entry-marker error: 1 of 1 entries do not begin with 6, the first is 0: 10.0.0.2:28001
}
