package expect

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/token"
)

// Limits on files of expectations. Real files are far smaller. The YAML library's time and memory grow with the square
// of the number of keys in a mapping, and with the square of the nesting.
const (
	// MaxFile is the maximum size of a file in bytes.
	MaxFile = 256 << 10

	maxExpectations = 500  // in one file
	maxSteps        = 5000 // in one expectation; recorded expectations have fewer
	maxNames        = 250  // names of saved values
	maxList         = 250  // elements of "hold" and "allow", and values that one step saves
	maxKeys         = 500  // in one mapping
	maxNesting      = 100  // of lists and mappings
)

// A nesting is the stack of open mappings and brackets. A mapping is identified by the column of its keys.
type nesting struct {
	*source
	levels    []level
	documents int // number of documents that begin with ---
}

// A level is an open mapping or bracket.
type level struct {
	bracket bool
	column  int // column of the keys
	keys    int
}

// checkNesting fails if a file has too many keys, is nested too deeply, or uses YAML features by which a small file can
// become large in memory.
func (s *source) checkNesting(tokens token.Tokens) {
	n := nesting{source: s}
	for _, t := range tokens {
		n.take(t)
	}
}

func (n *nesting) take(t *token.Token) {
	switch t.Type {
	case token.AnchorType, token.AliasType, token.MergeKeyType:
		n.refuse(t, "anchors and aliases are not allowed here")
	case token.MappingKeyType:
		n.refuse(t, "keys after a question mark are not allowed here")
	case token.DocumentHeaderType:
		n.levels = n.levels[:0]
		if n.documents++; n.documents > maxExpectations {
			n.refuse(t, "more than %d expectations in a file", maxExpectations)
		}
	case token.DocumentEndType:
		n.levels = n.levels[:0]
	case token.MappingStartType, token.SequenceStartType:
		n.levels = append(n.levels, level{bracket: true})
	case token.MappingEndType, token.SequenceEndType:
		for last, l := range slices.Backward(n.levels) {
			if l.bracket {
				n.levels = n.levels[:last]
				break
			}
		}
	case token.SequenceEntryType:
		n.leave(t.Position.Column + 1)
	case token.MappingValueType:
		n.key(t)
	}
	if len(n.levels) > maxNesting {
		n.refuse(t, tooDeep, maxNesting)
	}
}

const tooDeep = "lists and mappings are nested deeper than %d levels"

// leave closes the mappings whose keys are at or after a column, back to the last open bracket.
func (n *nesting) leave(column int) {
	for last := len(n.levels) - 1; last >= 0 && !n.levels[last].bracket && n.levels[last].column >= column; last-- {
		n.levels = n.levels[:last]
	}
}

// key handles the colon after a key.
func (n *nesting) key(t *token.Token) {
	column := t.Position.Column
	if t.Prev != nil {
		column = t.Prev.Position.Column
	}
	n.leave(column + 1)
	last := len(n.levels) - 1
	if last < 0 || !n.levels[last].bracket && n.levels[last].column != column {
		n.levels = append(n.levels, level{column: column})
		last++
	}
	if n.levels[last].keys++; n.levels[last].keys > maxKeys {
		n.refuse(t, "more than %d keys in a mapping", maxKeys)
	}
}

func (n *nesting) refuse(t *token.Token, format string, args ...any) {
	panic(n.at(t.Position.Line, t.Position.Column, fmt.Sprintf(format, args...)))
}
