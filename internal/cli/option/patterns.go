package option

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// Fits reports whether a name is one that a word on the command line is about: the word is a part of it between dots,
// such as a protocol, or a pattern as shells have them.
func Fits(word, name string) bool {
	ok, err := path.Match(word, name)
	return err == nil && ok || strings.Contains("."+name+".", "."+word+".")
}

// Named gives those of some names that a word is about, or else those that begin so.
func Named(word string, names []string) []string {
	var about, begin []string
	for _, name := range names {
		switch {
		case Fits(word, name):
			about = append(about, name)
		case strings.HasPrefix(name, word):
			begin = append(begin, name)
		}
	}
	if about == nil {
		return begin
	}
	return about
}

// NamedBy gives those of some names that words are about, in the order of the words; all without a word. what they are
// called in the error of a word that is about none.
func NamedBy(words, names []string, what string) ([]string, error) {
	if len(words) == 0 {
		return names, nil
	}
	var list []string
	known := make(map[string]bool)
	for _, word := range words {
		found := Named(word, names)
		if len(found) == 0 {
			text := filter.DidYouMean(filter.Nearest(word, names))
			return nil, fmt.Errorf("there is no %s %q%s; gamedissect %ss lists them, and takes patterns: '*%s*'", what, word,
				text, what, strings.Trim(word, "*."))
		}
		for _, name := range found {
			if !known[name] {
				known[name] = true
				list = append(list, name)
			}
		}
	}
	return slices.Clip(list), nil
}
