package verdict

import (
	"errors"
	"io"
	"os"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/filter"
)

func loadAll(pairs []pair, schema *filter.Schema) (loaded map[string][]*expect.Expectation, trouble error) {
	loaded = make(map[string][]*expect.Expectation)
	for _, p := range pairs {
		for _, name := range p.expectations {
			if _, done := loaded[name]; done {
				continue
			}
			list, err := loadExpectations(name, schema)
			trouble = errors.Join(trouble, err)
			loaded[name] = list
		}
	}
	return loaded, trouble
}

// loadExpectations reads a file of expectations. The name "-" is an ordinary file name here, since standard input may
// be the capture.
func loadExpectations(name string, schema *filter.Schema) ([]*expect.Expectation, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, session.OpenError(name, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, expect.MaxFile+1))
	if err != nil {
		return nil, err
	}
	return expect.Load(name, text, schema)
}

// newLiner returns a function that formats a message as one line with at most width columns and without colours.
func newLiner(c *session.Clock, width int) func(*decode.Message) string {
	lines := message.NewLineWriter(term.NewOutput(io.Discard, width), c, nil, print.Style{})
	return func(m *decode.Message) string {
		lines.Out.Buf = lines.Out.Buf[:0]
		if lines.Line(m, width == 0); width > 0 {
			lines.Out.Buf = lines.MarksBelow(lines.Out.Buf, m)
		}
		return string(lines.Out.Buf)
	}
}
