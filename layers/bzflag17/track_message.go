package bzflag17

import (
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	second       = int64(time.Second)
	crossingTime = second / 4  // messages of both sides may pass each other for so long
	deathNotice  = second      // until a client knows what only the server reports
	sameInstant  = second / 10 // real robots shoot a moment before they say that they live
)

// message is what a tracker sees at a time: a layer and where it stands in the capture.
type message struct {
	layer *Layer
	place *wire.Place
}

func (m *message) tcp() bool { return m.place.Transport == wire.TCP }

func (m *message) fromClient() bool { return m.layer.Direction == c2s }

func (m *message) fromServer() bool { return m.layer.Direction == s2c }

// unreadable reports whether the message cannot be checked by what stands in it.
func (m *message) unreadable() bool { return m.layer.Fault() != nil || m.layer.Truncated() }

// since returns the nanoseconds from an earlier moment to the message.
func (m *message) since(moment int64) int64 { return clock.Elapsed(moment, m.place.Time) }

// report reports a finding about size bytes at off, as far as the message has them.
func (m *message) report(rule *wire.Rule, off, size int, format string, args ...any) {
	n := m.layer.Size()
	off = min(off, n)
	m.layer.Report(rule, off, min(size, n-off), format, args...)
}

// bodyOffset returns the offset of what a client said. A server puts the client's id before it.
func (m *message) bodyOffset() int {
	if m.fromClient() {
		return headerSize
	}
	return headerSize + playerIDSize
}

// seconds returns a time as text.
func seconds(nanoseconds int64) string {
	return strconv.FormatFloat(float64(nanoseconds)/float64(second), 'f', 3, 64) + " s"
}
