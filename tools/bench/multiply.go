package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strconv"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// maxHosts limits the hosts that a multiplier remembers.
const maxHosts = 1 << 20

// A multiplier returns the packets of a capture several times in succession, each copy with its own hosts. The first
// copy has the original packets. The multiplier does not change multicast and broadcast addresses, hardware addresses,
// addresses in payloads and routing headers, and packets other than IP. Correct checksums stay correct, and wrong ones
// stay wrong. A sender may leave checksums to its network device, so that they are incomplete in the capture. These
// checksums become correct, except in cut packets and fragments.
type multiplier struct {
	copies int
	hosts  map[netip.Addr]int            // index of each input host in its block
	blocks map[netip.Prefix][]netip.Addr // hosts of each block so far
	buffer []byte
}

func newMultiplier(copies int) *multiplier {
	return &multiplier{copies: copies, hosts: make(map[netip.Addr]int), blocks: make(map[netip.Prefix][]netip.Addr)}
}

// writeCopies writes the copies of a capture file, pcap or pcapng, to a pcap file. "-" means standard input or output.
// If the capture is damaged, it copies the readable part.
func writeCopies(ctx context.Context, _ *options, args []string) (err error) {
	copies, err := strconv.Atoi(args[0])
	if err != nil || copies < 1 {
		return fmt.Errorf("%q is not a number of copies", args[0])
	}
	from, to := args[1], args[2]
	if input, err := os.Stat(from); err == nil && input.Mode().IsRegular() {
		if output, err := os.Stat(to); err == nil && os.SameFile(input, output) {
			return fmt.Errorf("%s is the same file as the input, which writing would destroy", to)
		}
	}
	in, err := capture.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // harmless: the file was only read
	out, err := capture.Create(to, capture.WriterOptions{Format: "pcap"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return newMultiplier(copies).each(in, func(p *capture.Packet, _ int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.Interface = 0 // a pcap file has only one
		return out.Write(p)
	})
}

// each calls a function for each copy of each packet, with the number of the copy, from 0. A packet is valid until the
// function returns.
func (m *multiplier) each(in capture.Source, use func(p *capture.Packet, n int) error) error {
	var p capture.Packet
	for {
		if err := in.Next(&p); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := m.packet(p, use); err != nil {
			return err
		}
	}
}

// packet calls use for each copy of a packet.
func (m *multiplier) packet(p capture.Packet, use func(p *capture.Packet, n int) error) error {
	original := p.Data
	for n := range m.copies {
		c := p
		var err error
		if c.Data, err = m.copyOf(original, p.Length, p.LinkType, n); err != nil {
			return err
		}
		if err := use(&c, n); err != nil {
			return err
		}
	}
	return nil
}

// copyOf returns a frame in the given copy, from 0. The result is valid until the next call.
func (m *multiplier) copyOf(frame []byte, length int, link capture.LinkType, n int) ([]byte, error) {
	at, ok := ip.Locate(uint16(link), frame, length)
	if !ok || m.copies == 1 {
		return frame, nil
	}
	m.buffer = append(m.buffer[:0], frame...)
	header, content := m.buffer[at.Network:at.Transport], m.buffer[at.Transport:at.End]
	src, dst := ip.Addresses(header)
	oldHeader, old := string(header), string(src)+string(dst)
	if !at.Fragment {
		ip.FillChecksum(at.Protocol, content, src, dst)
	}
	hosts := [][]byte{src, dst}
	if isBroadcast(link, frame) {
		hosts = hosts[:1]
	}
	if quoted := quotedBy(at.Protocol, content); quoted != nil {
		hosts = append(hosts, quoted[12:16], quoted[16:20])
	}
	for _, b := range hosts {
		a, _ := netip.AddrFromSlice(b)
		to, err := m.hostOf(a, n)
		if err != nil {
			return nil, err
		}
		copy(b, to.AsSlice())
	}
	ip.UpdateHeader(header, oldHeader)
	if at.Offset == 0 { // only the first fragment has the checksum
		length := len(content) + at.Missing
		if at.Fragment {
			length = 0
		}
		ip.UpdateTransport(at.Protocol, content, length, old, string(src)+string(dst), "")
	}
	return m.buffer, nil
}

// quotedBy returns the header of the undelivered packet that an ICMP message for IPv4 quotes, or nil.
func quotedBy(protocol byte, content []byte) []byte {
	const icmp, unreachable, head, header = 1, 3, 8, 20
	if protocol != icmp || len(content) < head+header || content[0] != unreachable {
		return nil
	}
	return content[head:]
}

// isBroadcast reports whether the link-layer header of a frame marks a broadcast.
func isBroadcast(link capture.LinkType, frame []byte) bool {
	const cookedBroadcast = 1
	switch link {
	case ip.LinkEthernet:
		return bytes.HasPrefix(frame, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	case ip.LinkSLL:
		return frame[1] == cookedBroadcast
	case ip.LinkSLL2:
		return frame[10] == cookedBroadcast
	}
	return false
}

// hostOf returns the address of a host in a copy. The address is in the same block as the host, see blockOf, and
// differs from all addresses in other copies.
func (m *multiplier) hostOf(a netip.Addr, n int) (netip.Addr, error) {
	if a.IsMulticast() || a.IsUnspecified() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
		return a, nil
	}
	block, room := blockOf(a)
	host, known := m.hosts[a]
	if !known {
		if len(m.hosts) >= maxHosts {
			return a, fmt.Errorf("the capture has more than %d hosts", maxHosts)
		}
		host = len(m.blocks[block])
		m.blocks[block] = append(m.blocks[block], a)
		m.hosts[a] = host
	}
	number := host*m.copies + n
	if number >= room {
		return a, fmt.Errorf("%v has no room for %d copies of its hosts", block, m.copies)
	}
	number = room - 1 - number // from the end of the block, because addresses in payloads are mostly at its beginning
	if a.Is4() {
		b := block.Addr().As4()
		first := binary.BigEndian.Uint32(b[:]) + uint32(number/lasts)<<8
		binary.BigEndian.PutUint32(b[:], first+1+uint32(number%lasts))
		return netip.AddrFrom4(b), nil
	}
	b := block.Addr().As16()
	binary.BigEndian.PutUint64(b[8:], uint64(number)+1)
	return netip.AddrFrom16(b), nil
}

// originOf is the inverse of hostOf. It returns the host in the input and the number of the copy. If an address does
// not belong to a copy, originOf returns the address and -1.
func (m *multiplier) originOf(a netip.Addr) (host netip.Addr, n int) {
	if m.copies == 1 {
		return a, 0
	}
	if !a.IsValid() {
		return a, -1
	}
	block, room := blockOf(a)
	var number int
	if a.Is4() {
		b, first := a.As4(), block.Addr().As4()
		at := binary.BigEndian.Uint32(b[:]) - binary.BigEndian.Uint32(first[:])
		number = int(at>>8)*lasts + int(at&0xff) - 1
	} else {
		b := a.As16()
		number = int(binary.BigEndian.Uint64(b[8:])&(1<<32-1)) - 1
	}
	number = room - 1 - number
	hosts := m.blocks[block]
	if i := number / m.copies; number >= 0 && i < len(hosts) {
		if to, err := m.hostOf(hosts[i], number%m.copies); err == nil && to == a {
			return hosts[i], number % m.copies
		}
	}
	return a, -1
}

// lasts is the number of hosts in an IPv4 network of 256 addresses. The first is not a host, and the last is a
// broadcast address.
const lasts = 254

// blocks4 are the blocks of IPv4 addresses with a special meaning for programs.
var blocks4 = []netip.Prefix{
	netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("169.254.0.0/16"),
	netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
}

// blockOf returns the block that contains the hosts of all copies, and the number of hosts that fit in it.
func blockOf(a netip.Addr) (block netip.Prefix, room int) {
	if a.Is6() {
		return netip.PrefixFrom(a, 64).Masked(), 1 << 31
	}
	const networks = 1 << 8 // 16 bits
	for _, b := range blocks4 {
		if b.Contains(a) {
			return b, lasts * networks << (16 - b.Bits())
		}
	}
	block = netip.PrefixFrom(a, 8).Masked()
	room = lasts * networks << 8
	for _, b := range blocks4 {
		if block.Contains(b.Addr()) { // the block must end where another one begins
			first := b.Addr().As4()
			room = lasts * (int(first[1])<<8 + int(first[2]))
		}
	}
	return block, room
}
