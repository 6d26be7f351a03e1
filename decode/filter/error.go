package filter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Error says what is wrong with a filter, and where.
type Error struct {
	Text    string // the whole filter
	Off     int    // of the first byte that is wrong
	Size    int    // bytes
	Reason  string
	Nearest []string // what may have been meant
}

func (e *Error) Error() string {
	return fmt.Sprintf("column %d: %s%s", utf8.RuneCountInString(e.Text[:e.Off])+1, e.Reason, e.Meant())
}

// Meant is "" or a question that names what may have been meant.
func (e *Error) Meant() string {
	if len(e.Nearest) == 0 {
		return ""
	}
	return DidYouMean(e.Nearest)
}

// DidYouMean is the question whether one of some names was meant, to stand behind the text of an error.
func DidYouMean(names []string) string {
	return " (did you mean " + strings.Join(names, " or ") + "?)"
}

// Excerpt is the filter in a line, and marks below what is wrong. ASCII control characters show as spaces;
// whoever prints it escapes the others.
func (e *Error) Excerpt() string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, e.Text)
	before := utf8.RuneCountInString(e.Text[:e.Off])
	marks := max(utf8.RuneCountInString(e.Text[e.Off:min(e.Off+e.Size, len(e.Text))]), 1)
	return plain + "\n" + strings.Repeat(" ", before) + strings.Repeat("^", marks)
}

// longestName is how long a name may be to be likened to others, in bytes.
const longestName = 100

// wiresharkNames is what some of Wireshark's names are called here.
var wiresharkNames = map[string]string{
	"frame.time_delta": "time_delta", "frame.time_delta_displayed": "time_delta",
	"udp.time_delta": "time_delta", "tcp.time_delta": "time_delta",
	"frame.len": "length", "frame.cap_len": "length",
	"_ws.col.info": "info", "_ws.col.protocol": "protocol", "_ws.expert": "finding",
}

// Nearest gives the few names that are most like one that does not exist: those that end alike, or differ
// in a few letters.
func Nearest(name string, known []string) []string {
	const most = 3
	type near struct {
		name     string
		distance int
	}
	var found []near
	if len(name) > longestName {
		return nil
	}
	if here := wiresharkNames[name]; here != "" && slices.Contains(known, here) {
		return []string{here}
	}
	for _, k := range known {
		if strings.HasSuffix(k, "."+name) || k == "Msg"+name {
			found = append(found, near{k, 0})
			continue
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(k)); d <= max(len(name)/3, 1) {
			found = append(found, near{k, d})
		}
	}
	slices.SortStableFunc(found, func(x, y near) int {
		return cmp.Or(cmp.Compare(x.distance, y.distance), cmp.Compare(len(x.name), len(y.name)))
	})
	var names []string
	for _, n := range found[:min(len(found), most)] {
		if n.distance <= found[0].distance+1 && !slices.Contains(names, n.name) {
			names = append(names, n.name)
		}
	}
	return names
}
