package bpf

import (
	"golang.org/x/net/bpf"

	"github.com/gamedissect/gamedissect/capture"
)

// RawInstruction is one instruction in the kernel's format.
type RawInstruction = bpf.RawInstruction

// A Program is a classic BPF program. It always terminates, because it only jumps forward, and it reads only the
// packet. Several goroutines may use it at once.
type Program struct {
	code                   []RawInstruction
	swapped                []RawInstruction // for packets with a big-endian address family; nil: there are none
	readsVLAN, readsKernel bool
}

// defaultSnap is tcpdump's default snapshot length. No packet in a capture file is longer.
const defaultSnap = 262144

// Compile compiles a filter for frames of a link type. The program keeps snap bytes of accepted packets. If snap is 0
// or less, it keeps the maximum size of a packet. An empty filter accepts everything. Errors are of type [*Error].
func Compile(filter string, link capture.LinkType, snap int) (*Program, error) {
	if snap <= 0 {
		snap = defaultSnap
	}
	tokens, err := lex(filter)
	if err != nil {
		return nil, err
	}
	p, err := compile(filter, tokens, link, false, snap)
	if err != nil || link != linkNull && link != linkENC {
		return p, err
	}
	// The header begins with an address family in the byte order of the machine that wrote the file, usually
	// little-endian.
	swapped, err := compile(filter, tokens, link, true, snap)
	if err != nil {
		return nil, err
	}
	p.swapped = swapped.code
	return p, nil
}

// Match reports whether the filter accepts a packet. wireLength is the packet's length on the wire. Match does not
// allocate.
func (p *Program) Match(packet []byte, wireLength int) bool {
	code := p.code
	if p.swapped != nil && len(packet) >= 4 && packet[0] == 0 && packet[1] == 0 {
		code = p.swapped
	}
	return run(code, packet, uint32(wireLength)) != 0
}

// Raw returns a copy of the instructions, for the kernel to run on a socket.
func (p *Program) Raw() []RawInstruction { return append([]RawInstruction(nil), p.code...) }

// ReadsVLAN reports whether the filter has the word vlan. That word never matches a packet whose tag the kernel has
// removed.
func (p *Program) ReadsVLAN() bool { return p.readsVLAN }

// ReadsKernel reports whether the filter has the word inbound or outbound, and only the kernel knows the direction of
// such frames. Match cannot ask the kernel, so a packet is rejected where either word is evaluated.
func (p *Program) ReadsKernel() bool { return p.readsKernel }

func compile(filter string, tokens []token, link capture.LinkType, swapped bool, snap int) (*Program, error) {
	tree, p, err := parse(filter, tokens, link, swapped)
	if err != nil {
		return nil, err
	}
	if tree.isVaried() {
		tree = all(compare(at(sizeByte, 0), atLeast, 0), tree) // like libpcap, the program first reads the header's size
	}
	code, err := generate(tree, uint32(snap))
	if err != nil {
		return nil, &Error{Filter: filter, Off: -1, Reason: err.Error()}
	}
	return &Program{code: code, readsVLAN: p.readsVLAN, readsKernel: p.readsKernel}, nil
}
