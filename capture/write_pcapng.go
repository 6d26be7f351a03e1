package capture

import (
	"math"
	"unicode/utf8"
)

// blockStatistics is the type of an interface statistics block: draft-ietf-opsawg-pcapng section 4.6.
const blockStatistics = 5

// Option codes that this package writes but does not read: draft-ietf-opsawg-pcapng sections 4.1, 4.2 and 4.6.
const (
	shbHardware    = 2
	shbOS          = 3
	shbApplication = 4

	ifName        = 2
	ifDescription = 3
	ifFilter      = 11
	ifOS          = 12

	isbStart     = 2
	isbEnd       = 3
	isbReceived  = 4
	isbDropped   = 5
	isbAccepted  = 6
	isbOSDropped = 7
	isbDelivered = 8
)

const (
	maxOption = math.MaxUint16 // bytes of an option's value
	cutMark   = "…"            // end of a text that was cut
)

// Bytes to reserve in the options of a block: for the end of the list, and for a last comment that consists only of
// cutMark.
const (
	roomForEnd  = optionHeader
	roomForMark = optionHeader + (len(cutMark)+3)&^3
)

// nanosecondDigits is the value of if_tsresol for nanoseconds, 10^-9 seconds.
const nanosecondDigits = 9

// The times of an interface with packets from before 1970 are stored relative to a time earlySeconds before 1970.
// Packet.Time cannot represent earlier times.
const earlySeconds = 9223372036

// openBlock appends the header of a block. closeBlock fills in the length.
func openBlock(b []byte, kind uint32) []byte {
	b = writeOrder.AppendUint32(b, kind)
	return writeOrder.AppendUint32(b, 0)
}

// closeBlock ends the block that begins at b[start]: section 3.1.
func closeBlock(b []byte, start int) []byte {
	total := uint32(len(b) - start + 4)
	writeOrder.PutUint32(b[start+4:], total)
	return writeOrder.AppendUint32(b, total)
}

// align appends zeros after a value of n bytes, up to a multiple of 4.
func align(b []byte, n int) []byte {
	return append(b, "\x00\x00\x00"[:-n&3]...)
}

// appendSection appends a section header block: section 4.1. It leaves the section length unspecified, since the length
// is not known yet.
func appendSection(b []byte, o WriterOptions) []byte {
	start := len(b)
	b = openBlock(b, blockSection)
	b = writeOrder.AppendUint32(b, byteOrderMagic)
	b = writeOrder.AppendUint16(b, 1)
	b = writeOrder.AppendUint16(b, 0)
	b = writeOrder.AppendUint64(b, math.MaxUint64)
	options := len(b)
	b = appendText(b, shbHardware, o.Hardware)
	b = appendText(b, shbOS, o.OS)
	b = appendText(b, shbApplication, o.Application)
	b = endOptions(b, options)
	return closeBlock(b, start)
}

// appendInterface appends an interface description block: section 4.2.
func appendInterface(b []byte, in Interface) []byte {
	start := len(b)
	b = openBlock(b, blockInterface)
	b = writeOrder.AppendUint16(b, uint16(in.LinkType))
	b = writeOrder.AppendUint16(b, 0)
	b = writeOrder.AppendUint32(b, in.snap())
	options := len(b)
	b = appendText(b, ifName, in.Name)
	b = appendText(b, ifDescription, in.Description)
	b = append(appendOption(b, ifTsresol, 1), nanosecondDigits)
	b = align(b, 1)
	if in.early {
		offset := int64(-earlySeconds)
		b = writeOrder.AppendUint64(appendOption(b, ifTsoffset, 8), uint64(offset))
	}
	if in.Filter != "" {
		text, cut := fit(in.Filter, maxOption-1)
		b = append(appendOption(b, ifFilter, 1+fitted(text, cut)), 0) // 0: a filter as text
		b = appendFitted(b, text, cut)
		b = align(b, 1+fitted(text, cut))
	}
	b = appendText(b, ifOS, in.OS)
	b = endOptions(b, options)
	return closeBlock(b, start)
}

// appendEnhanced appends an enhanced packet block: section 4.3.
func appendEnhanced(b []byte, id int, p *Packet, more []string) []byte {
	start := len(b)
	b = openBlock(b, blockEnhanced)
	b = writeOrder.AppendUint32(b, uint32(id))
	b = appendTime(b, p.Time)
	b = writeOrder.AppendUint32(b, uint32(len(p.Data)))
	b = writeOrder.AppendUint32(b, claimedLength(p))
	b = append(b, p.Data...)
	b = align(b, len(p.Data))
	if len(p.Comments)+len(more) > 0 {
		b = appendComments(b, p.Comments, more)
	}
	return closeBlock(b, start)
}

// appendTime appends a time, upper half first.
func appendTime(b []byte, t int64) []byte {
	if t < 0 {
		t = max(t, -earlySeconds*1e9) + earlySeconds*1e9
	}
	b = writeOrder.AppendUint32(b, uint32(t>>32))
	return writeOrder.AppendUint32(b, uint32(t))
}

// appendComments appends two lists of comments as options. It limits them to maxOptions bytes in all, since readers
// reject more. cutMark ends a comment or list that is too long.
func appendComments(b []byte, own, more []string) []byte {
	options := len(b)
	for i := range len(own) + len(more) {
		room := maxOptions - roomForEnd - (len(b) - options) - optionHeader - roomForMark
		if room < len(cutMark) {
			b = appendText(b, optComment, cutMark)
			break
		}
		list, at := own, i
		if i >= len(own) {
			list, at = more, i-len(own)
		}
		kept, cut := fit(list[at], min(room, maxOption))
		b = appendOption(b, optComment, fitted(kept, cut))
		b = appendFitted(b, kept, cut)
		b = align(b, fitted(kept, cut))
		if cut && room < maxOption {
			break
		}
	}
	return endOptions(b, options)
}

// appendStatistics appends an interface statistics block: section 4.6.
func appendStatistics(b []byte, id int, s InterfaceStatistics) []byte {
	start := len(b)
	b = openBlock(b, blockStatistics)
	b = writeOrder.AppendUint32(b, uint32(id))
	b = appendTime(b, max(s.End, s.Start, 0))
	options := len(b)
	if s.Start > 0 {
		b = appendTime(appendOption(b, isbStart, 8), s.Start)
	}
	if s.End > 0 {
		b = appendTime(appendOption(b, isbEnd, 8), s.End)
	}
	for _, c := range s.Comments {
		b = appendText(b, optComment, c)
	}
	for _, c := range [...]struct {
		code  uint16
		count int64
	}{
		{isbReceived, s.Received},
		{isbDropped, s.Dropped},
		{isbAccepted, s.Accepted},
		{isbOSDropped, s.OSDropped},
		{isbDelivered, s.Delivered},
	} {
		if c.count >= 0 {
			b = writeOrder.AppendUint64(appendOption(b, c.code, 8), uint64(c.count))
		}
	}
	b = endOptions(b, options)
	return closeBlock(b, start)
}

// appendOption appends the header of an option with a value of n bytes: section 3.5.
func appendOption(b []byte, code uint16, n int) []byte {
	b = writeOrder.AppendUint16(b, code)
	return writeOrder.AppendUint16(b, uint16(n))
}

// appendText appends a text option, unless the text is empty.
func appendText(b []byte, code uint16, text string) []byte {
	if text == "" {
		return b
	}
	text, cut := fit(text, maxOption)
	b = appendOption(b, code, fitted(text, cut))
	b = appendFitted(b, text, cut)
	return align(b, fitted(text, cut))
}

// endOptions ends the list of options that begins at b[start], if there is one.
func endOptions(b []byte, start int) []byte {
	if len(b) == start {
		return b
	}
	return appendOption(b, optEnd, 0)
}

// fit cuts a text between characters to at most limit bytes, including cutMark.
func fit(text string, limit int) (kept string, cut bool) {
	if len(text) <= limit {
		return text, false
	}
	end := limit - len(cutMark)
	for n := end; n > 0 && n > end-utf8.UTFMax; n-- {
		if utf8.RuneStart(text[n]) {
			end = n
			break
		}
	}
	return text[:end], true
}

// fitted returns the size in bytes of the text that fit returns.
func fitted(text string, cut bool) int {
	if cut {
		return len(text) + len(cutMark)
	}
	return len(text)
}

func appendFitted(b []byte, text string, cut bool) []byte {
	b = append(b, text...)
	if cut {
		b = append(b, cutMark...)
	}
	return b
}
