package bpf

import (
	"encoding/binary"
	"errors"

	"golang.org/x/net/bpf"

	"github.com/gamedissect/gamedissect/capture"
)

// RawInstruction is one instruction as the kernel takes it.
type RawInstruction = bpf.RawInstruction

// A Program is a classic BPF program: it jumps forward only, so it ends, and it
// reads nothing but the packet. It may be used by several goroutines.
type Program struct {
	code      []RawInstruction
	swapped   []RawInstruction // for packets whose BSD loopback header is in the other byte order; nil: none
	readsVLAN bool
}

// defaultSnap is tcpdump's: the most bytes that a record may have.
const defaultSnap = 262144

// Compile compiles a filter for frames of a link type. The program asks the kernel for snap bytes
// of what it accepts; with 0 or less, for all that a record may hold. An empty filter accepts
// everything. Errors are of type [*Error].
func Compile(filter string, link capture.LinkType, snap int) (*Program, error) {
	if snap <= 0 {
		snap = defaultSnap
	}
	tokens, err := lex(filter)
	if err != nil {
		return nil, err
	}
	compile := compileOwn
	if library().err == nil {
		compile = compileByLibpcap
	}
	p := &Program{readsVLAN: hasWord(tokens, "vlan")}
	if p.code, err = compile(filter, tokens, link, snap); err != nil {
		return nil, err
	}
	if link == linkNull && hostIsLittle() {
		// The header is in the byte order of who wrote the file. The program is for ours; that of
		// OpenBSD's loopback is always for the other.
		p.swapped, err = compile(filter, tokens, linkLoop, snap)
	}
	return p, err
}

// Match decides about a packet of which wireLength bytes were on the wire. It does not allocate.
func (p *Program) Match(packet []byte, wireLength int) bool {
	code := p.code
	if p.swapped != nil && len(packet) >= 4 && packet[0] == 0 && packet[1] == 0 {
		code = p.swapped
	}
	return run(code, packet, uint32(wireLength)) != 0
}

// Raw gives the instructions, to attach to a socket. They are the caller's.
func (p *Program) Raw() []RawInstruction { return append([]RawInstruction(nil), p.code...) }

// ReadsVLAN says whether the filter has the word vlan, which finds nothing where the kernel has removed the tag.
func (p *Program) ReadsVLAN() bool { return p.readsVLAN }

// ReadsKernel says whether the filter asks for what only the kernel knows of a packet, such as which way it
// went: inbound and outbound. Match never finds it.
func (p *Program) ReadsKernel() bool {
	for _, i := range p.code {
		if class := i.Op & 7; class <= 1 && i.K >= extensions && i.Op&0xe0 != 0x60 && i.Op&0xe0 != 0 {
			return true
		}
	}
	return false
}

func hostIsLittle() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

func compileOwn(filter string, tokens []token, link capture.LinkType, snap int) ([]RawInstruction, error) {
	tree, err := parse(filter, tokens, link)
	if err != nil {
		return nil, err
	}
	code, err := generate(tree, uint32(snap))
	if err != nil {
		return nil, &Error{Filter: filter, Off: -1, Reason: err.Error(), By: ourselves}
	}
	return code, nil
}

// libpcap's time grows with the square of a filter's length and more. From how many conditions on it
// is asked only for what the own compiler does not take, and not at all.
const (
	manyConditions    = 64
	tooManyConditions = 200
)

func compileByLibpcap(filter string, tokens []token, link capture.LinkType, snap int) ([]RawInstruction, error) {
	l := library()
	text, err := spellOut(filter, tokens)
	if err != nil {
		return nil, err
	}
	if n := conditions(tokens); n > manyConditions {
		own, err := compileOwn(filter, tokens, link, snap)
		if err == nil || n > tooManyConditions {
			return own, err
		}
	}
	// The optimizer may take seconds, and calls it an error when nothing can get through.
	literal, err := l.compile(text, link, snap, false)
	if errors.Is(err, errNotRunnable) {
		if own, ownErr := compileOwn(filter, tokens, link, snap); ownErr == nil {
			return own, nil
		}
		return nil, &Error{Filter: filter, Off: -1, Reason: err.Error(), By: ourselves}
	}
	if err != nil {
		return nil, &Error{Filter: filter, Off: -1, Reason: err.Error(), By: l.version}
	}
	code, err := l.compile(text, link, snap, true)
	if err != nil {
		code = literal
	}
	if err := validate(code); err != nil {
		return nil, &Error{Filter: filter, Off: -1, Reason: err.Error(), By: ourselves}
	}
	return code, nil
}

// conditions counts what is joined.
func conditions(tokens []token) int {
	n := 1
	for _, t := range tokens {
		if t.is(sign, "&&") || t.is(sign, "||") {
			n++
		}
	}
	return n
}
