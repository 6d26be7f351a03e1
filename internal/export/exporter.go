// Package export writes an engine's results as tables in Parquet. There is a table for each message type, and one each
// for findings, values, conversations and attempts.
//
// The columns of a message follow from the fields that the message's Walk lists. So they are the same for every
// capture, and files of many days can be read as one table. They have the structure of the JSON that gamedissect -T
// json prints.
//
// This package must not depend on any protocol, or on where files are stored.
package export

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// Options determine what to write and where.
type Options struct {
	Create Creator

	// Folder is called before the first table in a folder is created. folder is "" or ends with a slash. An error ends
	// the export. Folder may be nil.
	Folder func(folder string) error

	// Memory is the approximate limit of the memory for rows that are not written yet, in bytes. 0 means DefaultMemory.
	// With more memory, files are smaller and faster to read.
	Memory int

	// Before is the number of messages in tables that were written earlier. Numbering continues from there, so the
	// numbers of messages stay distinct if all tables are read as one.
	Before int64

	// ByDay writes the tables of each day, in UTC, to a separate folder: "day=2026-11-23/findings.parquet". See Again.
	ByDay bool
}

// DefaultMemory is enough for about 300,000 messages.
const DefaultMemory = 48 << 20

// An Exporter writes tables. It copies its arguments. After the first error it writes nothing more, and Close returns
// the error.
type Exporter struct {
	options Options
	names   places
	shred   shredder
	days    []*day        // open days, least recently used first
	parts   map[int64]int // number of times that each day was begun
	begun   int           // sum of parts
	number  int64         // number of the current message
	memory  int           // bytes of rows that are not written yet
	failed  error
	rows    map[string]int64

	conversations *conversations
}

// maxDays limits the open days. There can be several, because packets around midnight may be out of order.
const maxDays = 2

// maxBegun limits the folders and files that wrong times can cause. It corresponds to eleven years.
const maxBegun = 4000

// New makes an Exporter.
func New(o Options) *Exporter {
	e := &Exporter{options: o, number: o.Before, parts: make(map[int64]int), rows: make(map[string]int64)}
	if e.options.Memory <= 0 {
		e.options.Memory = DefaultMemory
	}
	e.conversations = newConversations(e.begin, func(c *conversation) { e.conversation(e.day(c.first.Time), c) })
	return e
}

// A day has the tables of one day, or all tables.
type day struct {
	folder   string // "", or a name that ends with a slash
	begin    int64  // nanoseconds since 1970
	messages map[messageKey]*table
	findings *table
	values   *table
	talks    *table
	attempts *table
}

type messageKey struct {
	protocol *wire.Protocol
	name     string
}

const dayLength = int64(24 * time.Hour)

// begin returns the beginning of the day that contains a time. It returns 0 unless each day has its own tables.
func (e *Exporter) begin(at int64) int64 {
	if !e.options.ByDay {
		return 0
	}
	at = max(at, math.MinInt64+dayLength)
	return at - (at%dayLength+dayLength)%dayLength
}

func (e *Exporter) day(at int64) *day {
	begin := e.begin(at)
	last := len(e.days) - 1
	if last >= 0 && e.days[last].begin == begin {
		return e.days[last]
	}
	for i, d := range e.days {
		if d.begin == begin {
			e.days = append(slices.Delete(e.days, i, i+1), d)
			return d
		}
	}
	if e.begun == maxBegun {
		e.fail(fmt.Errorf("more than %d days began: the packets' times are wrong, or the capture is too long for one "+
			"folder per day", maxBegun))
		return e.days[last]
	}
	e.begun++
	if len(e.days) == maxDays {
		e.fail(e.end(e.days[0]))
		e.days = slices.Delete(e.days, 0, 1)
	}
	d := &day{begin: begin, messages: make(map[messageKey]*table)}
	if e.options.ByDay {
		d.folder = time.Unix(0, begin).UTC().Format("day=2006-01-02/")
	}
	if n := e.parts[begin]; n > 0 {
		d.folder += fmt.Sprintf("again-%d/", n+1)
	} else if e.options.Folder != nil {
		e.fail(e.options.Folder(d.folder))
	}
	e.parts[begin]++
	d.findings, d.values, d.talks, d.attempts = newFindings(d), newValues(d), newTalks(d), newAttempts(d)
	e.days = append(e.days, d)
	return d
}

// openDay returns the tables for a finding, a value or an attempt: the tables of its day or, if those are already
// written, the current day's. For example, the finding that a file is cut comes only at the file's end.
func (e *Exporter) openDay(at int64) *day {
	begin := e.begin(at)
	isIt := func(d *day) bool { return d.begin == begin }
	if last := len(e.days) - 1; last >= 0 && e.parts[begin] > 0 && !slices.ContainsFunc(e.days, isIt) {
		return e.days[last]
	}
	return e.day(at)
}

// tables returns all tables of the day, sorted by path.
func (d *day) tables() []*table {
	list := append(slices.Collect(maps.Values(d.messages)), d.findings, d.values, d.talks, d.attempts)
	slices.SortFunc(list, func(a, b *table) int { return cmp.Compare(a.path, b.path) })
	return list
}

func (e *Exporter) end(d *day) error {
	if e.failed != nil {
		return e.failed
	}
	e.conversations.each(func(c *conversation) {
		if e.begin(c.first.Time) == d.begin {
			e.conversation(d, c)
		}
	})
	for _, t := range d.tables() {
		e.memory -= t.memory
		e.rows[t.path] = t.total
		if err := t.close(e.options.Create); err != nil {
			return err
		}
	}
	return nil
}

func (e *Exporter) fail(err error) {
	if e.failed == nil {
		e.failed = err
	}
}

// Failed reports whether an error ended the export.
func (e *Exporter) Failed() bool { return e.failed != nil }

// Rows returns how many rows each table has, by the table's path. It must be called after Close.
func (e *Exporter) Rows() map[string]int64 { return e.rows }

// Again returns how many times a day began again after its tables had been written. The additional tables are in a
// separate folder: "day=2026-11-23/again-2/findings.parquet".
func (e *Exporter) Again() int { return e.begun - len(e.parts) }

// Message writes a message.
func (e *Exporter) Message(m *decode.Message) {
	e.number++
	if e.failed != nil {
		return
	}
	d := e.day(m.Time)
	key := messageKey{m.Protocol, m.Name}
	t := d.messages[key]
	if t == nil {
		var err error
		if t, err = newMessages(d, key); err != nil {
			e.fail(err)
			return
		}
		d.messages[key] = t
	}
	e.message(t, m)
	for i := range m.Findings {
		e.finding(d.findings, &m.Place, m, &m.Findings[i])
	}
	e.conversations.message(m)
}

// Finding writes a finding that belongs to no message.
func (e *Exporter) Finding(f *wire.TrafficFinding) {
	if e.failed == nil {
		e.finding(e.openDay(f.Time).findings, &f.Place, nil, &wire.Finding{Rule: f.Rule, Text: f.Text})
	}
}

// Value writes a value or an event.
func (e *Exporter) Value(v *wire.Value) {
	if e.failed == nil {
		e.value(e.openDay(v.Time).values, v)
	}
}

// Attempt writes an attempt. It ignores attempts that are not over.
func (e *Exporter) Attempt(a *wire.Attempt) {
	if e.failed == nil && a.Over && a.Protocol != nil {
		e.attempt(e.openDay(a.Time).attempts, a)
	}
}

// conversation writes a conversation's row for a day, and clears the conversation.
func (e *Exporter) conversation(d *day, c *conversation) {
	if e.failed == nil {
		e.talk(d.talks, c)
		*c = conversation{}
	}
}

// measureEvery is the number of rows after which the memory of a table is measured.
const measureEvery = 64

// added counts a new row of a table. If all rows together take too much memory, it flushes the largest table.
func (e *Exporter) added(t *table) {
	t.total++
	if t.rows++; t.rows%measureEvery != 0 {
		return
	}
	e.memory += t.measure()
	if e.memory <= e.options.Memory {
		return
	}
	largest := t
	for _, d := range e.days {
		for _, other := range d.tables() {
			if other.memory > largest.memory {
				largest = other
			}
		}
	}
	e.memory -= largest.memory
	e.fail(largest.flush(e.options.Create))
}

// Close writes the remaining rows and returns the first error.
func (e *Exporter) Close() error {
	if len(e.parts) == 0 && !e.options.ByDay {
		e.day(0) // so there are tables even without messages
	}
	for _, d := range e.days {
		e.fail(e.end(d))
	}
	if n := e.shred.unknown; n > 0 && e.failed == nil {
		e.fail(fmt.Errorf("%d fields have no column, because their messages do not list them", n))
	}
	return e.failed
}
