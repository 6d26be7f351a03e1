package diff

import (
	"cmp"
	"slices"
	"strings"
)

// A Kind is what a difference is about.
type Kind string

// These are the kinds. Differences of the first five kinds make a capture worse, unless the caller chooses other kinds.
const (
	Rules     Kind = "rules"
	Attempts  Kind = "attempts"
	Questions Kind = "questions"
	Times     Kind = "times"
	Loss      Kind = "loss"
	Notes     Kind = "notes"
	Messages  Kind = "messages"
	Sizes     Kind = "sizes"
	Values    Kind = "values"
	Players   Kind = "players"
	Sequences Kind = "sequences"
)

// Kinds lists all kinds. Judging lists the kinds that make a capture worse by default.
var (
	Kinds   = []Kind{Rules, Attempts, Questions, Times, Loss, Notes, Messages, Sizes, Values, Players, Sequences}
	Judging = Kinds[:5]
)

// A Verdict is the result of comparing a capture with good captures.
type Verdict string

// These are the verdicts.
const (
	Same         Verdict = "same"
	Different    Verdict = "different" // different, but not worse
	Worse        Verdict = "worse"
	Incomparable Verdict = "not comparable" // incomplete, unlike the good captures: ends early, or begins later
)

// A Difference is something that differs from all good captures. For numbers, Good has the lowest and the highest
// number of the good captures.
type Difference struct {
	Kind     Kind       `json:"kind"`
	What     string     `json:"what"`
	Unit     string     `json:"unit,omitempty"` // unit of the numbers: "s", "share" or "bytes"; "" for a count
	Good     [2]float64 `json:"good"`
	Now      float64    `json:"now"`
	Rule     string     `json:"rule,omitempty"`
	Severity string     `json:"severity,omitempty"`
	Note     string     `json:"note,omitempty"` // an example, or what appeared or disappeared
	File     string     `json:"file,omitempty"` // file with the example
	Frame    int        `json:"frame,omitempty"`
	Filters  Filters    `json:"filters,omitzero"`
	Worse    bool       `json:"worse"`

	weight    int
	explained bool // missing parts of the capture may explain it
}

// A Comparison is the result of comparing a capture with good captures.
type Comparison struct {
	Good    []string `json:"good"`
	Capture string   `json:"capture"`
	Verdict Verdict  `json:"verdict"`

	Partial     []string     `json:"partial"`     // why the capture is incomplete or cannot be compared
	Differences []Difference `json:"differences"` // most important first
	Parting     *Parting     `json:"parting,omitempty"`

	From []*Capture `json:"-"`
	To   *Capture   `json:"-"`
}

// Compare compares a capture with at least one good capture. Differences of the judging kinds make the capture worse.
// If the capture is incomplete, differences that missing parts may explain do not count.
func Compare(good []*Capture, now *Capture, judging []Kind) *Comparison {
	c := &comparer{good: good, now: now}
	of := &Comparison{Capture: now.Name, From: good, To: now, Differences: []Difference{}}
	for _, g := range good {
		of.Good = append(of.Good, g.Name)
	}
	if why := c.foreign(); why != "" {
		of.Partial, of.Verdict = append(c.partial(), why), Incomparable
		return of
	}
	c.rules()
	c.compareAttempts()
	c.refusals()
	c.shares()
	c.times()
	c.messages()
	c.values()
	c.names("players", func(g *Capture) map[string]bool { return g.players })
	c.names("servers", func(g *Capture) map[string]bool { return g.servers })
	of.Partial = c.partial()
	of.Differences = append(of.Differences, c.list...)
	worse := false
	for i := range of.Differences {
		d := &of.Differences[i]
		d.Worse = slices.Contains(judging, d.Kind) && !(d.explained && len(of.Partial) > 0)
		worse = worse || d.Worse
	}
	slices.SortFunc(of.Differences, func(a, b Difference) int {
		if a.Worse != b.Worse {
			return map[bool]int{true: -1, false: 1}[a.Worse]
		}
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.Now, a.Now), cmp.Compare(a.What, b.What),
			cmp.Compare(a.Note, b.Note))
	})
	parting := findParting(good, now)
	newSequence := parting != nil && slices.Contains(judging, Sequences)
	if parting != nil && (worse || newSequence || parting.significant) {
		of.Parting = parting
	}
	switch {
	case worse || newSequence && len(of.Partial) == 0:
		of.Verdict = Worse
	case len(of.Partial) > 0:
		of.Verdict = Incomparable
	case len(of.Differences) > 0 || of.Parting != nil:
		of.Verdict = Different
	default:
		of.Verdict = Same
	}
	return of
}

type comparer struct {
	good []*Capture
	now  *Capture
	list []Difference
}

func (c *comparer) add(d Difference) { c.list = append(c.list, d) }

// partial lists the reasons why the capture is incomplete. It leaves out reasons that also apply to a good capture.
func (c *comparer) partial() []string {
	list := []string{}
	for _, why := range sortedNames(c.now.partial) {
		if !slices.ContainsFunc(c.good, func(g *Capture) bool { return g.partial[why] != "" }) {
			list = append(list, c.now.partial[why])
		}
	}
	return list
}

// foreign returns the reason why nothing can be compared, if the capture has no protocol in common with the good
// captures. Otherwise it returns "".
func (c *comparer) foreign() string {
	ours, theirs := c.now.protocols(), []string{}
	for _, g := range c.good {
		of := g.protocols()
		if len(of) == 0 || slices.ContainsFunc(of, func(p string) bool { return slices.Contains(ours, p) }) {
			return ""
		}
		theirs = append(theirs, of...)
	}
	slices.Sort(theirs)
	return "no protocol in common: the good captures have " + strings.Join(slices.Compact(theirs), ", ") +
		", this one has " + cmp.Or(strings.Join(ours, ", "), "none")
}

// band returns the lowest and the highest value of the good captures.
func (c *comparer) band(of func(*Capture) float64) (b [2]float64) {
	for i, g := range c.good {
		x := of(g)
		if i == 0 {
			b = [2]float64{x, x}
		}
		b[0], b[1] = min(b[0], x), max(b[1], x)
	}
	return b
}

// all reports whether a condition holds for all good captures. any reports whether it holds for at least one.
func (c *comparer) all(has func(*Capture) bool) bool {
	return !slices.ContainsFunc(c.good, func(g *Capture) bool { return !has(g) })
}

func (c *comparer) any(has func(*Capture) bool) bool { return slices.ContainsFunc(c.good, has) }
