package bzflag24

import (
	"net/netip"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// The steps of a listing.
const (
	stepRegisters uint8 = iota
	stepRegistered
)

// listing is a game server's registration at a list server. Before answering, the list server tries for up to 5 s to
// connect to the game server.
var listing = &wire.AttemptKind{
	Name: "listing", Noun: "listing", Goal: stepRegistered, Several: true,
	Steps: []wire.AttemptStep{
		{Name: "registration", Turn: wire.Asked, Awaits: "answer to its registration", Patience: 10 * time.Second},
		{Name: "registered"},
	},
}

// fetch is a request to a list server that is not a registration.
var fetch = plainhttp.NewFetch(10 * time.Second)

// The kinds of requests to a list server.
const (
	aboutOther uint8 = iota
	aboutRegistration
)

const (
	maxAnswer = 1 << 20 // maximum number of bytes of an answer that are read
	maxWords  = 200     // maximum number of bytes of a reason that are kept
)

// listServerTracker follows requests to list servers.
type listServerTracker struct {
	plainhttp.Registrations
	logins *bounded.LRU[httpClient, []login] // logins about which game servers have asked
}

// httpClient is a client of a list server.
type httpClient struct{ client, server netip.AddrPort }

func newListServerTracker(r *wire.Reporter) *listServerTracker {
	const what = "requests to BZFlag list servers"
	kind := bounded.Kind{Name: what, Silent: "outcome of a request"}
	t := &listServerTracker{plainhttp.Registrations{
		Account:  attempt.New(r, what, listing, fetch, logins),
		Requests: plainhttp.NewRequests(r.Memory, kind),
		Listing:  listing, Fetch: fetch, About: aboutRegistration,
	}, bounded.NewLRU(r.Memory, kind, bounded.Values[httpClient, []login]{Held: heldLogins})}
	if t.Account != nil {
		r.Watch(t)
	}
	return t
}

func heldLogins(list *[]login) (n int) {
	for _, l := range *list {
		n += loginCost + len(l.name)
	}
	return n
}

const loginCost = 48

// take handles a message to or from a list server.
func (t *listServerTracker) take(l *Layer, p *wire.Place) {
	if t.Account == nil {
		return
	}
	switch m := l.Body.(type) {
	case *HTTPRequest:
		t.request(m, p)
	case *HTTPResponse:
		t.answer(&l.Base, m, p)
	}
}

func (t *listServerTracker) request(m *HTTPRequest, p *wire.Place) {
	f := readForm(m)
	t.logins.Delete(httpClient{p.Src, p.Dst})
	if len(f.logins) > 0 {
		*t.logins.Make(httpClient{p.Src, p.Dst}) = f.logins
	}
	if f.game == 0 {
		t.Requests.Ask(m, p, aboutOther, netip.AddrPort{})
		x := t.Account.Begin(fetch, p, p.Src, p.Dst)
		if f.name != "" {
			x.Call(p.Src.String() + " " + f.name)
		}
		plainhttp.Begin(x, p)
		return
	}
	game := netip.AddrPortFrom(p.Src.Addr(), f.game)
	t.Requests.Ask(m, p, aboutRegistration, game)
	if x := t.Account.Of(listing, game, p.Dst); x.Outcome() == wire.Done {
		x.End(p)
	}
	x := t.Account.Begin(listing, p, game, p.Dst)
	x.Try(p, stepRegisters)
	x.Name(p, f.title)
}

func (t *listServerTracker) answer(core *wire.Base, m *HTTPResponse, p *wire.Place) {
	asked, _, _ := t.Requests.Answer(p)
	read := readAnswer(m)
	of := httpClient{p.Dst, p.Src}
	if list := t.logins.Peek(of); list != nil && m.Status == 200 {
		t.judge(*list, &read, p)
		t.logins.Delete(of)
	}
	switch x := t.Account.Of(fetch, p.Dst, p.Src); {
	case asked.About == aboutRegistration:
		t.register(&asked, &read, core, m, p)
	case read.words != "":
		x.Refuse(p, wire.Asked, read.words, "")
		x.End(p)
	default:
		plainhttp.Decide(x, p, &asked, core, m, "")
	}
}

// register decides the outcome of a registration from the answer.
func (t *listServerTracker) register(asked *plainhttp.Asked, read *answer, core *wire.Base, m *HTTPResponse,
	p *wire.Place) {
	x := t.Account.Of(listing, asked.Who, p.Src)
	cause, what := plainhttp.Failure(asked, m)
	switch {
	case m.Status < 200: // an interim answer
	case cause != "":
		what, _, _ = strings.Cut(what, "?")
		x.Refuse(p, wire.Asked, cause, what)
	case read.words != "":
		x.Refuse(p, wire.Asked, read.words, "")
	case core.Fault() != nil || core.Truncated() || read.unread:
		x.Doubt(p, "the capture lacks bytes of the answer")
	case read.cut != "":
		x.Fail(p, wire.Asked, "the answer is cut", read.cut)
	case read.empty:
		x.Fail(p, wire.Asked, "the answer is empty, as for a banned address", "")
	case !read.known:
		x.Fail(p, wire.Asked, "the answer cannot be read", "it has no line of a list server")
	default:
		x.Reach(p, stepRegistered)
	}
}

// judge decides the outcome of the logins about which a game server has asked the list server.
func (t *listServerTracker) judge(list []login, read *answer, p *wire.Place) {
	for _, l := range list {
		verdict, ok := read.tokens[l.name]
		if !ok || !l.token { // without a token there is no login
			continue
		}
		x := t.Account.Begin(logins, p, netip.AddrPortFrom(l.host, 0), p.Src)
		x.Call(l.host.String() + " " + l.name)
		if verdict == tokenGood {
			x.Succeed(p)
			continue
		}
		why := "the list server says UNK: the name is not registered"
		if verdict == tokenBad {
			why = "the list server says TOKBAD: the token is wrong or too old"
		}
		x.Refuse(p, wire.Asked, why, "")
		x.End(p)
	}
}

// Jump handles a gap in the capture, see wire.Tracker.
func (t *listServerTracker) Jump(now int64) {
	t.Registrations.Jump(now)
	t.logins.Clear()
}

// An answer is the content of a list server's HTTP response.
type answer struct {
	words  string            // reason of a refusal; "" if there is none
	tokens map[string]string // verdict on each login
	known  bool              // at least one line has a keyword of list servers
	empty  bool
	unread bool // the content cannot be decoded, or is too large
	cut    string
}

// Verdicts of a list server on a login.
const (
	tokenGood   = "TOKGOOD"
	tokenBad    = "TOKBAD"
	nameUnknown = "UNK"
)

// readAnswer reads an answer. Each line consists of a keyword, a colon or a space, and the subject.
func readAnswer(m *HTTPResponse) (a answer) {
	c := m.Content(maxAnswer)
	a.cut, a.unread, a.empty = c.Cut, c.Odd != "", len(strings.TrimSpace(string(c.Data))) == 0
	for line := range strings.Lines(string(c.Data)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word = strings.TrimSuffix(word, ":"); word {
		case "ERROR":
			a.words = strings.ToValidUTF8(rest[:min(len(rest), maxWords)], "")
		case "NOTOK":
			rest, _, _ = strings.Cut(rest, "(") // the name and a password follow
			a.words = "NOTOK: " + strings.TrimSpace(strings.ToValidUTF8(rest[:min(len(rest), maxWords)], ""))
		case tokenGood, tokenBad, nameUnknown:
			name, _, _ := strings.Cut(rest, ":") // the player's groups follow
			if a.tokens == nil {
				a.tokens = make(map[string]string)
			}
			a.tokens[name] = word
		case "MSG", "ADD", "REMOVE", "TOKEN", "UPDATE":
		default:
			continue
		}
		a.known = true
	}
	return a
}
