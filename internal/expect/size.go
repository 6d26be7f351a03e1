package expect

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/token"
)

// Bounds of files of expectations. Whoever writes one does not meet them; the library that reads YAML takes time and
// memory that grow with the square of how many keys a mapping has, and of how deep they nest.
const (
	// MaxFile bounds a file, in bytes.
	MaxFile = 256 << 10

	maxExpectations = 500  // in a file
	maxSteps        = 5000 // of an expectation; a recorded one has fewer
	maxNames        = 250  // that are saved
	maxList         = 250  // bounds that hold, rules that are allowed, values that a step saves
	maxKeys         = 500  // of a mapping
	maxNesting      = 100  // of lists and mappings in each other
)

// A nesting is what stands in each other at a place of a file: mappings by the column of their keys, and brackets.
type nesting struct {
	*source
	levels    []level
	documents int // that began with a line
}

// A level is a mapping, or what a bracket opens.
type level struct {
	bracket bool
	column  int // of keys
	keys    int
}

// failNesting is the error of a file with more keys, or nested deeper, than anybody needs, or with what is not used
// here and may make much of little.
func (s *source) failNesting(tokens token.Tokens) error {
	n := nesting{source: s}
	for _, t := range tokens {
		if err := n.take(t); err != nil {
			return err
		}
	}
	return nil
}

// take takes the next token.
func (n *nesting) take(t *token.Token) error {
	switch t.Type {
	case token.AnchorType, token.AliasType, token.MergeKeyType:
		return n.refuse(t, "anchors and aliases are not used here")
	case token.MappingKeyType:
		return n.refuse(t, "keys behind a question mark are not used here")
	case token.DocumentHeaderType:
		n.levels = n.levels[:0]
		if n.documents++; n.documents > maxExpectations {
			return n.refuse(t, fmt.Sprintf("more than %d expectations in a file", maxExpectations))
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
		return n.key(t)
	}
	if len(n.levels) > maxNesting {
		return n.refuse(t, fmt.Sprintf("lists and mappings stand in each other deeper than %d", maxNesting))
	}
	return nil
}

// leave leaves the mappings whose keys stand at a column or behind it, up to the last bracket.
func (n *nesting) leave(column int) {
	for last := len(n.levels) - 1; last >= 0 && !n.levels[last].bracket && n.levels[last].column >= column; last-- {
		n.levels = n.levels[:last]
	}
}

// key takes the colon behind a key.
func (n *nesting) key(t *token.Token) error {
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
		return n.refuse(t, fmt.Sprintf("more than %d keys in a mapping", maxKeys))
	}
	return nil
}

func (n *nesting) refuse(t *token.Token, reason string) error {
	return n.at(t.Position.Line, t.Position.Column, reason)
}
