package bzflag17

import (
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	second       = int64(time.Second)
	crossingTime = second / 4  // time in which messages of the two sides may cross
	deathNotice  = second      // delay until a client knows what only the server reports
	sameInstant  = second / 10 // real robots may shoot this long before they report their spawn
)

// message is a layer and its place in the capture.
type message struct {
	layer *Layer
	place *wire.Place
}

func (m *message) tcp() bool { return m.place.Transport == wire.TCP }

func (m *message) fromClient() bool { return m.layer.Direction == c2s }

func (m *message) fromServer() bool { return m.layer.Direction == s2c }

// unreadable reports whether the fields of the message are unreliable because it has errors or was cut.
func (m *message) unreadable() bool { return m.layer.Fault() != nil || m.layer.Truncated() }

// since returns the time from an earlier moment to the message, in nanoseconds.
func (m *message) since(moment int64) int64 { return clock.Elapsed(moment, m.place.Time) }

// report reports a finding about size bytes at off. It clips the range to the message.
func (m *message) report(rule *wire.Rule, off, size int, format string, args ...any) {
	n := m.layer.Size()
	off = min(off, n)
	m.layer.Report(rule, off, min(size, n-off), format, args...)
}

// bodyOffset returns the offset of the part of the body that the client sent. In the server's relay, the client's id
// comes first.
func (m *message) bodyOffset() int {
	if m.fromClient() {
		return headerSize
	}
	return headerSize + playerIDSize
}

// seconds formats a duration in seconds.
func seconds(nanoseconds int64) string {
	return strconv.FormatFloat(float64(nanoseconds)/float64(second), 'f', 3, 64) + " s"
}
