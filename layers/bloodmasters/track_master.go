package bloodmasters

import (
	"bytes"
	"fmt"
	"net/netip"
	"path"
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
	stepListed
)

// listing is a game server's attempt to be in a master list. The server registers again every minute.
var listing = &wire.AttemptKind{
	Name: "listing", Noun: "listing", Goal: stepRegistered, Several: true,
	Steps: []wire.AttemptStep{
		{Name: "registration", Turn: wire.Asked, Awaits: "answer to its registration", Patience: time.Duration(patience)},
		{Name: "registered"},
		{Name: "listed"},
	},
}

// fetch is a launcher's attempt to get a master list.
var fetch = plainhttp.NewFetch(time.Duration(patience))

// What an HTTP client requests.
const (
	aboutOther uint8 = iota
	aboutRegistration
	aboutList
)

const maxList = 1 << 20 // maximum bytes read of a list

// masterTracker follows requests to master lists, the web pages that list servers.
type masterTracker struct {
	plainhttp.Registrations
	reporter *wire.Reporter
}

func newMasterTracker(r *wire.Reporter) *masterTracker {
	const what = "requests to Bloodmasters master lists"
	t := &masterTracker{plainhttp.Registrations{
		Account:  attempt.New(r, what, listing, fetch),
		Requests: plainhttp.NewRequests(r.Memory, bounded.Kind{Name: what, Silent: "bloodmasters.master-bans"}),
		Listing:  listing, Fetch: fetch, About: aboutRegistration,
	}, r}
	if t.Account != nil {
		r.Watch(t)
	}
	return t
}

func (t *masterTracker) request(m *HTTPRequest, p *wire.Place) {
	if !bytes.Contains(m.Target, []byte(masterPath)) {
		t.Requests.Ask(m, p, aboutOther, netip.AddrPort{})
		return
	}
	port := registeredPort(m)
	if port == 0 {
		t.Requests.Ask(m, p, aboutList, netip.AddrPort{})
		plainhttp.Begin(t.Account.Begin(fetch, p, p.Src, p.Dst), p)
		return
	}
	game := netip.AddrPortFrom(p.Src.Addr(), port)
	t.Requests.Ask(m, p, aboutRegistration, game)
	x := t.Account.Of(listing, game, p.Dst)
	if x.Outcome() == wire.Done {
		x.End(p)
	}
	t.Account.Begin(listing, p, game, p.Dst).Try(p, stepRegisters)
}

func (t *masterTracker) answer(core *wire.Base, m *HTTPResponse, p *wire.Place) {
	asked, _, _ := t.Requests.Answer(p)
	switch asked.About {
	case aboutRegistration:
		t.register(&asked, core, m, p)
	case aboutList:
		list, problem := t.list(m)
		plainhttp.Decide(t.Account.Of(fetch, p.Dst, p.Src), p, &asked, core, m, problem)
		if problem == "" && m.Status == 200 && core.Fault() == nil && !core.Truncated() && list != nil {
			t.takeList(list, p)
		}
	}
}

// register handles the answer to a registration, which lists the addresses that the server must ban.
func (t *masterTracker) register(asked *plainhttp.Asked, core *wire.Base, m *HTTPResponse, p *wire.Place) {
	x := t.Account.Of(listing, asked.Who, p.Src)
	cause, what := plainhttp.Failure(asked, m)
	c := m.Content(maxList)
	switch {
	case m.Status < 200: // interim response
	case cause != "":
		what, _, _ = strings.Cut(what, "?")
		x.Refuse(p, wire.Asked, cause, what)
	case core.Fault() != nil || core.Truncated() || c.Odd != "":
		x.Reach(p, stepRegistered)
	case c.Cut != "":
		x.Fail(p, wire.Asked, "the answer is cut", c.Cut)
	case bytes.HasPrefix(bytes.TrimSpace(c.Data), []byte("<")):
		x.Fail(p, wire.Asked, "the answer cannot be read", "it is a web page, not a list of bans")
	default:
		x.Reach(p, stepRegistered)
		reportBans(core, m, strings.Fields(string(c.Data)), asked.Who.Addr())
	}
}

// reportBans reports the addresses that a master list bans. The report says whether they include the game server's own
// host.
func reportBans(core *wire.Base, m *HTTPResponse, bans []string, game netip.Addr) {
	if len(bans) == 0 {
		return
	}
	first, among := bans[0], ""
	for _, ban := range bans {
		if own, err := path.Match(ban, game.String()); own && err == nil {
			first, among = ban, ", and with it the server's own host "+game.String()
			break
		}
	}
	if len(bans) > 1 {
		first = fmt.Sprintf("%s and %d more", first[:min(len(first), maxBan)], len(bans)-1)
	}
	core.Report(ruleMasterBans, core.Size()-len(m.Body), len(m.Body), "the master list bans %.80s%s", first, among)
}

// maxBan is the maximum length of a quoted address.
const maxBan = 40

// list returns the servers in a list. It returns nil if the capture does not have the whole list, and the problem if
// the list is invalid.
func (t *masterTracker) list(m *HTTPResponse) (list []netip.AddrPort, problem string) {
	c := m.Content(maxList)
	if c.Cut != "" || c.Odd != "" || m.Status != 200 {
		return nil, ""
	}
	list = []netip.AddrPort{}
	for i, word := range strings.Fields(string(c.Data)) {
		at, err := netip.ParseAddrPort(word)
		if err != nil {
			return nil, fmt.Sprintf("word %d is no address with a port", i+1)
		}
		list = append(list, at)
	}
	return list, ""
}

// takeList records the servers in a list.
func (t *masterTracker) takeList(list []netip.AddrPort, p *wire.Place) {
	named := make(map[netip.AddrPort]bool, len(list))
	for _, at := range list {
		named[at] = true
		t.reporter.Measured(wire.Value{Place: *p, Table: "list", Server: p.Src, Who: at.String(), What: "listed", State: true,
			Text: "yes"})
	}
	t.Account.Each(p.Src, func(game netip.AddrPort, x *attempt.Attempt) {
		switch {
		case named[game] && x.Reached(stepRegisters):
			x.Reach(p, stepListed)
		case !game.Addr().IsPrivate() && !x.Reached(stepListed):
			x.MayMiss("it is registered, but the list does not name it", "")
		}
	})
}
