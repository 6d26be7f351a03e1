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

const awaits = "answer to its registration"

// listing is what a game server wants of a master list. It registers itself anew each minute.
var listing = &wire.AttemptKind{
	Name: "listing", Noun: "listing", Goal: stepRegistered, Several: true,
	Steps: []wire.AttemptStep{
		{Name: "registration", Turn: wire.Asked, Awaits: awaits, Patience: time.Duration(patience)},
		{Name: "registered"},
		{Name: "listed"},
	},
}

// fetch is what a launcher wants of a master list.
var fetch = plainhttp.NewFetch(time.Duration(patience))

// What a request to a master list is about.
const (
	aboutOther uint8 = iota
	aboutRegistration
	aboutList
)

const maxList = 1 << 20 // bytes of a list that is read

// masterTracker follows who asks master lists.
type masterTracker struct {
	*wire.Reporter
	account  *attempt.Account
	requests *plainhttp.Requests
}

func newMasterTracker(r *wire.Reporter) *masterTracker {
	t := &masterTracker{Reporter: r, account: attempt.New(r, "requests to Bloodmasters master lists", listing, fetch),
		requests: plainhttp.NewRequests(r.Memory, bounded.Kind{Name: "requests to Bloodmasters master lists",
			Silent: "bloodmasters.master-bans"})}
	if t.account != nil {
		r.Watch(t)
	}
	return t
}

func (t *masterTracker) request(m *HTTPRequest, p *wire.Place) {
	if !bytes.Contains(m.Target, []byte(masterPath)) {
		t.requests.Ask(m, p, aboutOther, netip.AddrPort{})
		return
	}
	port := registeredPort(m)
	if port == 0 {
		t.requests.Ask(m, p, aboutList, netip.AddrPort{})
		plainhttp.Begin(t.account.Begin(fetch, p, p.Src, p.Dst), p)
		return
	}
	game := netip.AddrPortFrom(p.Src.Addr(), port)
	t.requests.Ask(m, p, aboutRegistration, game)
	x := t.account.Of(listing, game, p.Dst)
	if x.Outcome() == wire.Done {
		x.End(p)
	}
	t.account.Begin(listing, p, game, p.Dst).Try(p, stepRegisters)
}

func (t *masterTracker) answer(core *wire.Base, m *HTTPResponse, p *wire.Place) {
	asked, _, _ := t.requests.Answer(p)
	switch asked.About {
	case aboutRegistration:
		t.register(&asked, core, m, p)
	case aboutList:
		list, problem := t.list(m)
		plainhttp.Decide(t.account.Of(fetch, p.Dst, p.Src), p, &asked, core, m, problem)
		if problem == "" && m.Status == 200 && core.Fault() == nil && !core.Truncated() && list != nil {
			t.takeList(list, p)
		}
	}
}

// register handles the answer to a registration: the addresses that the server has to ban.
func (t *masterTracker) register(asked *plainhttp.Asked, core *wire.Base, m *HTTPResponse, p *wire.Place) {
	x := t.account.Of(listing, asked.Who, p.Src)
	cause, what := plainhttp.Failure(asked, m)
	c := m.Content(maxList)
	switch {
	case m.Status < 200: // not the answer yet
	case cause != "":
		what, _, _ = strings.Cut(what, "?")
		x.Refuse(p, wire.Asked, cause, what)
	case core.Fault() != nil || core.Truncated() || c.Odd != "":
		x.Reach(p, stepRegistered)
	case c.Cut != "":
		x.Fail(p, wire.Asked, "the answer is cut", c.Cut)
	case bytes.HasPrefix(bytes.TrimSpace(c.Data), []byte("<")):
		x.Fail(p, wire.Asked, "the answer cannot be read", "it is a page, no list of bans")
	default:
		x.Reach(p, stepRegistered)
		reportBans(core, m, strings.Fields(string(c.Data)), asked.Who.Addr())
	}
}

// reportBans reports what a master list bans, and whether it bans the host of the game server itself.
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

// maxBan bounds what is repeated of a ban.
const maxBan = 40

// list reads a list of servers. It is nil if what there is of it cannot be read in the capture.
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

// takeList notes which servers a list names.
func (t *masterTracker) takeList(list []netip.AddrPort, p *wire.Place) {
	named := make(map[netip.AddrPort]bool, len(list))
	for _, at := range list {
		named[at] = true
		t.Measured(wire.Value{Place: *p, Table: "list", Server: p.Src, Who: at.String(), What: "listed", State: true,
			Text: "yes"})
	}
	t.account.Each(p.Src, func(game netip.AddrPort, x *attempt.Attempt) {
		switch {
		case named[game] && x.Reached(stepRegisters):
			x.Reach(p, stepListed)
		case !game.Addr().IsPrivate() && !x.Reached(stepListed):
			x.MayMiss("it is registered, but the list does not name it", "")
		}
	})
}

// game returns a place on a connection as one of the game server that registers itself there and waits.
func (t *masterTracker) game(p *wire.Place) (x *attempt.Attempt, of wire.Place) {
	of = *p
	asked, client, server, ok := t.requests.Of(p)
	if !ok || asked.About != aboutRegistration {
		return nil, of
	}
	if p.Src == client {
		of.Src = asked.Who
	} else {
		of.Dst = asked.Who
	}
	return t.account.Of(listing, asked.Who, server), of
}

// Signal passes on what happens to the connection of a registration.
func (t *masterTracker) Signal(s wire.Signal, p *wire.Place) {
	if p.Transport != wire.TCP {
		return
	}
	x, of := t.game(p)
	if x.Outcome() == wire.Open && x != nil {
		t.account.Signal(s, &of)
	}
	if s == wire.Finishing || s == wire.Resetting {
		plainhttp.Closing(x, p, of.Dst != p.Dst, awaits)
		plainhttp.Closing(t.account.Of(fetch, p.Dst, p.Src), p, true, plainhttp.Awaits)
		plainhttp.Closing(t.account.Of(fetch, p.Src, p.Dst), p, false, plainhttp.Awaits)
	}
}

func (t *masterTracker) lost(p *wire.Place) {
	if _, of := t.game(p); of != *p {
		t.account.Lost(&of)
	}
	t.account.Lost(p)
	t.requests.Lost(p)
}

func (t *masterTracker) ended(p *wire.Place) {
	if x, of := t.game(p); x != nil && x.Outcome() == wire.Open {
		t.account.Ended(&of)
	}
	t.account.Ended(p)
	t.requests.Ended(p)
}

func (t *masterTracker) jump(now int64) {
	t.requests.Clear()
	t.account.Jump(now)
}
