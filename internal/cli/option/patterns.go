package option

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// Fits reports whether a word of the command line selects a name. The word is a shell pattern for whole names, or one
// or more of a name's parts between dots, such as "tribes" or "servers.ip" in "tribes.servers.ip".
func Fits(word, name string) bool {
	ok, err := path.Match(word, name)
	return err == nil && ok || strings.Contains("."+name+".", "."+word+".")
}

// named returns the names that a word selects. If the word selects none, it returns the names that begin with the word.
func named(word string, names []string) []string {
	var fitting, begin []string
	for _, name := range names {
		switch {
		case Fits(word, name):
			fitting = append(fitting, name)
		case strings.HasPrefix(name, word):
			begin = append(begin, name)
		}
	}
	if fitting == nil {
		return begin
	}
	return fitting
}

// NamedBy returns the names that any of the words selects, in the order of the words. If there are no words, it returns
// all names. If a word selects none, it returns an error. noun says in errors what a name stands for, such as "field".
func NamedBy(words, names []string, noun string) ([]string, error) {
	if len(words) == 0 {
		return names, nil
	}
	var list []string
	known := make(map[string]bool)
	for _, word := range words {
		found := named(word, names)
		if len(found) == 0 {
			text := filter.DidYouMean(filter.Nearest(word, names))
			return nil, fmt.Errorf("there is no %s %q%s; gamedissect %ss lists them, and takes patterns: '*%s*'", noun, word,
				text, noun, strings.Trim(word, "*."))
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
