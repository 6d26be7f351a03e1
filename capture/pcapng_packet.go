package capture

// Option codes: draft-ietf-opsawg-pcapng sections 3.5 and 4.2.
const (
	optEnd       = 0
	optComment   = 1
	ifTsresol    = 9
	ifTsoffset   = 14
	optionHeader = 4
)

// Sizes of the fixed fields of blocks. Every block begins with a type and a length of 4 bytes each, and ends with the
// length again.
const (
	interfaceHeader = 16 // type, length, link type (2), reserved (2), snap length (4)
	enhancedHeader  = 28 // type, length, interface (4), time (8), captured (4), original length (4)
	simpleHeader    = 12 // type, length, original length (4)
	blockTrailer    = 4
)

type ngInterface struct {
	link  LinkType
	snap  uint32 // bytes; 0: no limit
	clock clock
}

func (r *ngReader) readInterface(b []byte) error {
	at := r.w.offset()
	if len(r.interfaces) == maxInterfaces {
		return badRecord(at, "a section describes more than %d interfaces", maxInterfaces)
	}
	in := ngInterface{
		link:  LinkType(r.big.u16(b[8:])),
		snap:  r.big.u32(b[12:]),
		clock: decimalClock(6),
	}
	offset := int64(0)
	for rest := b[interfaceHeader : len(b)-blockTrailer]; len(rest) > 0; {
		code, value, after, ok := r.option(rest)
		switch {
		case !ok:
			return badRecord(at, "an option of an interface description block goes beyond the block")
		case code == optEnd:
			after = nil
		case code == ifTsresol && len(value) == 1:
			in.clock = newClock(value[0])
		case code == ifTsoffset && len(value) == 8:
			offset = int64(r.big.u64(value))
		case code == ifTsresol || code == ifTsoffset:
			return badRecord(at, "option %d of an interface description block has %d bytes, an invalid size", code, len(value))
		}
		rest = after
	}
	in.clock.offset = offset
	r.interfaces = append(r.interfaces, in)
	r.w.advance(len(b))
	return nil
}

// readTimestamped reads an enhanced packet block, section 4.3, or the obsolete packet block that it replaced, appendix
// A. The two differ in the position of the interface id.
func (r *ngReader) readTimestamped(p *Packet, b []byte, id uint32) error {
	at := r.w.offset()
	if id >= uint32(len(r.interfaces)) {
		return r.noInterface(id)
	}
	in := &r.interfaces[id]
	captured, length := r.big.u32(b[20:]), r.big.u32(b[24:])
	room := uint32(len(b) - enhancedHeader - blockTrailer)
	if limit := recordLimit(in.snap); captured > limit {
		return badRecord(at, "a packet block claims %d bytes of packet, above the limit of %d", captured, limit)
	}
	if captured > room {
		return badRecord(at, "a packet block claims %d bytes of packet and has room for %d", captured, room)
	}
	options := b[enhancedHeader+(captured+3)&^3 : len(b)-blockTrailer]
	comments, err := r.comments(options)
	if err != nil {
		return err
	}
	end := enhancedHeader + captured
	r.time = in.clock.nanoseconds(uint64(r.big.u32(b[12:]))<<32 | uint64(r.big.u32(b[16:])))
	*p = Packet{
		Data:      b[enhancedHeader:end:end],
		Length:    wireLength(length, int(captured)),
		Time:      r.time,
		LinkType:  in.link,
		Interface: r.earlier + int(id),
		Offset:    at + enhancedHeader,
		Comments:  comments,
	}
	r.w.advance(len(b))
	return nil
}

// readSimple reads a simple packet block: section 4.4. The block has neither a time nor options, and the captured
// length follows from the snap length.
func (r *ngReader) readSimple(p *Packet, b []byte) error {
	if len(r.interfaces) == 0 {
		return r.noInterface(0)
	}
	in := &r.interfaces[0]
	length := r.big.u32(b[8:])
	captured := length
	if in.snap > 0 {
		captured = min(captured, in.snap)
	}
	room := uint32(len(b) - simpleHeader - blockTrailer)
	if limit := recordLimit(in.snap); captured > limit {
		return badRecord(r.w.offset(), "a packet block claims %d bytes of packet, above the limit of %d", captured, limit)
	}
	if captured > room {
		return badRecord(r.w.offset(), "a packet block claims %d bytes of packet and has room for %d", captured, room)
	}
	end := simpleHeader + captured
	*p = Packet{
		Data:      b[simpleHeader:end:end],
		Length:    wireLength(length, int(captured)),
		Time:      r.time,
		LinkType:  in.link,
		Interface: r.earlier,
		Offset:    r.w.offset() + simpleHeader,
	}
	r.w.advance(len(b))
	return nil
}

func (r *ngReader) noInterface(id uint32) error {
	return badRecord(r.w.offset(), "a packet names interface %d, but its section describes only %d", id, len(r.interfaces))
}

// comments returns the comments among the options of a packet block.
func (r *ngReader) comments(options []byte) ([]string, error) {
	if len(options) > maxOptions {
		return nil, badRecord(r.w.offset(), "a packet block has %d bytes of options, above the limit of %d", len(options),
			maxOptions)
	}
	var found []string
	for len(options) > 0 {
		code, value, rest, ok := r.option(options)
		switch {
		case !ok:
			return nil, badRecord(r.w.offset(), "an option of a packet block goes beyond the block")
		case code == optEnd:
			rest = nil
		case code == optComment:
			found = append(found, string(value))
		}
		options = rest
	}
	return found, nil
}

// option splits the first option off b: section 3.5. Blocks are multiples of 4 bytes long, so b has at least a header.
func (r *ngReader) option(b []byte) (code uint16, value, rest []byte, ok bool) {
	code = r.big.u16(b)
	length := int(r.big.u16(b[2:]))
	next := optionHeader + (length+3)&^3
	if next > len(b) {
		return 0, nil, nil, false
	}
	return code, b[optionHeader : optionHeader+length], b[next:], true
}
