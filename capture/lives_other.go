//go:build !linux

package capture

import "errors"

// Lives takes packets from several interfaces. Here it is one.
type Lives struct{ live *Live }

// OpenLives begins to take packets from one interface. Sockets are for Linux.
func OpenLives(names []string, _ []int, o LiveOptions) (*Lives, error) {
	if len(names) == 0 {
		return nil, errNoInterface
	}
	if len(names) > 1 {
		return nil, &Error{File: names[1], Reason: "several interfaces at once are for Linux alone",
			Err: errors.ErrUnsupported}
	}
	l, err := OpenLive(names[0], o)
	if err != nil {
		return nil, err
	}
	return &Lives{l}, nil
}

// Next is that of Live.
func (m *Lives) Next(p *Packet) error { return m.live.Next(p) }

// Left counts the interfaces that packets may still come from after an error other than ErrQuiet.
func (*Lives) Left() int { return 0 }

// Stop is that of Live.
func (m *Lives) Stop() { m.live.Stop() }

// Statistics are those of each interface.
func (m *Lives) Statistics() []LiveStatistics { return []LiveStatistics{m.live.Statistics()} }

// Close ends capturing.
func (m *Lives) Close() error { return m.live.Close() }
