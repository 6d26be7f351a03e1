package capture_test

import (
	"bytes"
	"fmt"
	"io"

	"github.com/gamedissect/gamedissect/capture"
)

// A file is read one packet at a time, whatever its format and compression.
func Example() {
	file, err := capture.Open("../testdata/pcap/bloodmasters-real.pcap.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	var packet capture.Packet
	packets, size := 0, 0
	for {
		err := file.Next(&packet)
		if err == io.EOF {
			break
		}
		if err != nil { // the packets before the damage are valid
			fmt.Println(err)
			return
		}
		packets++
		size += packet.Length
	}
	fmt.Printf("%d packets, %d bytes\n", packets, size)
	// Output:
	// 355 packets, 21921 bytes
}

// Merge returns the packets of several files in time order. The example writes them to another file, each with a
// comment that Wireshark displays.
func ExampleWriter() {
	a, err := capture.Open("../testdata/pcap/bloodmasters-real.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := capture.Open("../testdata/pcap/bloodmasters-gametypes.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	source := capture.Merge(a, b)
	defer source.Close()

	var text bytes.Buffer
	out, err := capture.NewWriter(&text, "both", capture.WriterOptions{Application: "an example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var packet capture.Packet
	for err = source.Next(&packet); err == nil; err = source.Next(&packet) {
		packet.Interface = out.Interface(capture.Interface{Name: packet.File, LinkType: packet.LinkType})
		if err := out.Write(&packet, "from "+packet.File); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err != io.EOF {
		fmt.Println(err)
	}
	if err := out.Close(); err != nil {
		fmt.Println(err)
	}

	again, err := capture.NewReader(&text, "both")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = again.Next(&packet)
	fmt.Println(again.Format(), packet.Number, packet.Comments, err)
	// Output:
	// pcapng 1 [from ../testdata/pcap/bloodmasters-gametypes.pcap] <nil>
}
