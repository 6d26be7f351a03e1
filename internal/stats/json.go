package stats

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// UnmarshalJSON reads the output of MarshalJSON.
func (r *Row) UnmarshalJSON(b []byte) error {
	var p struct {
		Measured map[string]*Series `json:"measured"`
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	if p.Measured == nil {
		return errors.New("a row of a table has no \"measured\"")
	}
	if err := refuseNull("measured", p.Measured); err != nil {
		return err
	}
	*r = Row{}
	for _, what := range slices.Sorted(maps.Keys(p.Measured)) {
		p.Measured[what].What = what
		r.Series = append(r.Series, p.Measured[what])
	}
	return nil
}

// plainSeries is the JSON form of a series.
type plainSeries struct {
	Unit    string     `json:"unit"`
	Numbers *Histogram `json:"numbers"`
	Total   int64      `json:"total"`
	States  []State    `json:"states"`
	Longest int        `json:"longest"`
}

// Trackers report durations in seconds, with the unit "s". A Series keeps this unit but stores nanoseconds. In JSON,
// the unit is "ns".
const (
	durations   = "s"
	nanoseconds = "ns"
)

// UnmarshalJSON reads the output of MarshalJSON, with members in any order.
func (x *Series) UnmarshalJSON(b []byte) error {
	var p plainSeries
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	*x = Series{Total: p.Total, Numbers: p.Numbers}
	if x.Numbers != nil {
		x.Numbers.unit = p.Unit
		if p.Unit == nanoseconds {
			x.Numbers.unit = durations
		}
	}
	for _, n := range p.States {
		x.addState(n)
	}
	if x.Texts != nil {
		x.Texts.Longest = min(max(x.Texts.Longest, p.Longest), maxText)
	}
	return nil
}

// UnmarshalJSON reads the output of WriteJSON. It returns an error for null in place of counts, and for numbers that
// cannot be counts, so all Stats that it reads can be merged. It does not change Memory.
func (s *Stats) UnmarshalJSON(b []byte) error {
	type plain Stats // the type without this method
	var p plain
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	for name, protocol := range p.Protocols {
		if err := protocol.check(); err != nil {
			return fmt.Errorf("protocols: %q: %w", name, err)
		}
	}
	for i, a := range p.Attempts {
		if a == nil || a.Count < 1 || len(a.Cases) == 0 || i > 0 && p.Attempts[i-1].compare(a) >= 0 {
			return errors.New("attempts: a group is empty or out of order")
		}
	}
	err := cmp.Or(
		refuseNull("conversations", p.Conversations),
		refuseNull("endpoints", p.Endpoints),
		refuseNull("findings", p.Findings),
		refuseNull("senders", p.Senders),
	)
	if err != nil {
		return err
	}
	nameRows(p.Conversations)
	nameRows(p.Endpoints)
	nameRows(p.Senders)
	whole := []string{"conversations", "endpoints", "senders"}
	for list := range p.Full {
		protocol, table, named := cut(list)
		of := p.Protocols[protocol]
		if named && (of == nil || of.Tables[table] == nil) || !named && !slices.Contains(whole, list) {
			return fmt.Errorf("full: there is no list %q", list)
		}
	}
	p.Memory = s.Memory
	*s = Stats(p)
	return nil
}

// nameRows sets the keys of rows, because a row is written with its key.
func nameRows[K key, R row[K, R]](rows map[K]R) {
	for key, r := range rows {
		r.listed().key = key
	}
}

// cut splits the name of a table in Stats.Full into its parts.
func cut(list string) (protocol, table string, ok bool) { return strings.Cut(list, ",") }

// check sets the keys of rows. It returns an error if a part of the protocol is missing or contains counts that are
// impossible.
func (p *Protocol) check() error {
	if p == nil || p.Messages == nil || p.Tables == nil {
		return errors.New("messages or tables are missing")
	}
	if err := refuseNull("messages", p.Messages); err != nil {
		return err
	}
	for name, m := range p.Messages {
		if err := m.Sizes.check(); err != nil {
			return fmt.Errorf("messages: %q: %w", name, err)
		}
	}
	for name, t := range p.Tables {
		if err := refuseNull(name, t); err != nil {
			return err
		}
		for who, r := range t {
			r.key = who
			if err := r.check(); err != nil {
				return fmt.Errorf("%s: %v: %w", name, who, err)
			}
		}
	}
	return nil
}

// check returns an error if the row contains counts that are impossible.
func (r *Row) check() error {
	for _, x := range r.Series {
		if err := x.Numbers.check(); err != nil || x.Total < 0 {
			return fmt.Errorf("%q: %w", x.What, cmp.Or(err, errors.New("a total below zero")))
		}
	}
	return nil
}

// check returns an error if the histogram contains counts that are impossible.
func (h *Histogram) check() error {
	if h == nil {
		return nil
	}
	if h.Count < 0 || h.Sum < 0 || h.Min < 0 || h.Max < h.Min {
		return errors.New("numbers below zero")
	}
	for i := 1; i < len(h.Buckets); i++ {
		if h.Buckets[i-1].Low() >= h.Buckets[i].Low() {
			return errors.New("buckets out of order")
		}
	}
	return nil
}

// refuseNull returns an error if a value is nil.
func refuseNull[K, V comparable, M ~map[K]V](what string, m M) error {
	var none V
	for key, v := range m {
		if v == none {
			return fmt.Errorf("%s: %v is null", what, key)
		}
	}
	return nil
}
