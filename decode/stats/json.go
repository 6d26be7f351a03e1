package stats

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
)

// UnmarshalJSON reads what was written as JSON. What says null where there should be counts is refused, so
// that what comes from elsewhere can be merged.
func (s *Stats) UnmarshalJSON(b []byte) error {
	type plain Stats // without this method
	var p plain
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	for name, protocol := range p.Protocols {
		if err := protocol.checkWhole(); err != nil {
			return fmt.Errorf("protocols: %q: %w", name, err)
		}
	}
	err := cmp.Or(
		refuseNull("conversations", p.Conversations),
		refuseNull("endpoints", p.Endpoints),
		refuseNull("findings", p.Findings),
	)
	if err != nil {
		return err
	}
	*s = Stats(p)
	return nil
}

// checkWhole returns an error if a protocol lacks something.
func (p *Protocol) checkWhole() error {
	if p == nil || p.Messages == nil || p.Tables == nil {
		return errors.New("messages or tables are missing")
	}
	if err := refuseNull("messages", p.Messages); err != nil {
		return err
	}
	for _, t := range p.Tables {
		for who, row := range t {
			if err := refuseNull(who, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuseNull returns an error if a value is nil.
func refuseNull[K comparable, V any](what string, m map[K]*V) error {
	for key, v := range m {
		if v == nil {
			return fmt.Errorf("%s: %v is null", what, key)
		}
	}
	return nil
}
