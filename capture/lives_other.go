//go:build !linux

package capture

import "errors"

// Lives captures packets from several interfaces. This build supports only one.
type Lives struct{ live *Live }

// OpenLives begins to capture from one interface. It ignores sockets, because only Linux uses them.
func OpenLives(names []string, _ []int, o LiveOptions) (*Lives, error) {
	if len(names) == 0 {
		return nil, errNoInterface
	}
	if len(names) > 1 {
		return nil, &Error{File: names[1], Reason: "capturing from several interfaces at once works only on Linux",
			Err: errors.ErrUnsupported}
	}
	l, err := OpenLive(names[0], o)
	if err != nil {
		return nil, err
	}
	return &Lives{l}, nil
}

// Next calls the interface's Next.
func (m *Lives) Next(p *Packet) error { return m.live.Next(p) }

// Left returns the number of interfaces that may still deliver packets after an error other than ErrQuiet.
func (*Lives) Left() int { return 0 }

// Stop calls the interface's Stop.
func (m *Lives) Stop() { m.live.Stop() }

// Statistics returns the counts of each interface.
func (m *Lives) Statistics() []LiveStatistics { return []LiveStatistics{m.live.Statistics()} }

// Close ends capturing.
func (m *Lives) Close() error { return m.live.Close() }
