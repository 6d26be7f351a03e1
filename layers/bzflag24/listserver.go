package bzflag24

import (
	"bytes"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// HTTPRequest is an unencrypted HTTP request to a list server. Game servers register with a list server, and clients
// get the list of game servers from it.
type HTTPRequest = plainhttp.Request

// HTTPResponse is the answer of a list server. Each line begins with a keyword.
type HTTPResponse = plainhttp.Response

var (
	httpRequest  = &wire.MessageType{Name: "HTTPRequest", Direction: c2s, Body: wire.Like(HTTPRequest{})}
	httpResponse = &wire.MessageType{Name: "HTTPResponse", Direction: s2c, Body: wire.Like(HTTPResponse{}),
		Answers: []string{"HTTPRequest"}}
)

// The actions that a form may request from a list server, and the keys that may follow the action.
var (
	formActions = []string{"ADD", "REMOVE", "LIST", "GETTOKEN", "CHECKTOKENS"}
	formKeys    = []string{"nameport", "version", "callsign", "checktokens"}
)

// The form in a request must be recognisable within maxForm bytes, or within maxFormHeader bytes together with the
// header of the request.
const (
	maxForm       = 64
	maxFormHeader = 1024
)

// isForm reports whether a text begins like a form for a list server. maybe means that it may become one if more bytes
// follow.
func isForm(text []byte) (sure, maybe bool) {
	for _, action := range formActions {
		for _, key := range formKeys {
			begin := "action=" + action + "&" + key + "="
			switch n := min(len(begin), len(text)); {
			case string(text[:n]) != begin[:n]:
			case n == len(begin):
				return true, false
			default:
				maybe = true
			}
		}
	}
	return false, maybe
}

// asksListServer reports whether a stream begins with a request to a list server. maybe means that it may do so if more
// bytes follow. The request may have any path, so asksListServer looks only at the form.
func asksListServer(data []byte) (sure, maybe bool) {
	asks, may := plainhttp.Asks(data)
	if !asks {
		return false, may
	}
	line, _, whole := bytes.Cut(data[:min(len(data), maxFormHeader)], []byte(plainhttp.LineEnd))
	if !whole {
		return false, len(data) < maxFormHeader
	}
	if _, query, ok := bytes.Cut(line, []byte("?")); ok {
		if sure, _ = isForm(query); sure {
			return true, false
		}
	}
	_, body, ok := bytes.Cut(data, []byte(plainhttp.HeaderEnd))
	switch {
	case !bytes.HasPrefix(line, []byte("POST ")):
		return false, false
	case !ok:
		return false, len(data) < maxFormHeader
	}
	return isForm(body)
}

const answerBegins = "HTTP/"

// walkHTTP walks a message to or from a list server. It reports whether the message is one.
func (l *Layer) walkHTTP(c *wire.Cursor) bool {
	if !c.Reading() {
		switch l.Body.(type) {
		case *HTTPRequest, *HTTPResponse:
			l.Body.Walk(c)
			return true
		}
		return false
	}
	data, t := c.Peek(), httpRequest
	if len(data) > 0 && data[0] < 'A' || c.Context().Transport != wire.TCP {
		return false // HTTP messages begin with a letter
	}
	asks, may := plainhttp.Asks(data)
	if c.FromServer() || !asks && (!may || !c.Truncated()) {
		t = httpResponse
		if c.Direction() == wire.ToServer || len(data) < len(answerBegins) && !c.Truncated() || !begins(data, answerBegins) {
			return false
		}
	}
	c.SetDirection(t.Direction)
	l.Use(c, messages, t).Walk(c)
	return true
}

// isHTTP reports whether the message is to or from a list server.
func (l *Layer) isHTTP() bool { return l.Message == httpRequest || l.Message == httpResponse }

// A form is the content of a request to a list server.
type form struct {
	action string
	game   uint16 // port of the game server that registers; 0: no registration
	title  string // title of the game server
	name   string // call sign of the client that requests a list
	logins []login
}

// A login is a player's login that a game server asks a list server to check: the player's name and host, and whether
// the request contains a token.
type login struct {
	name  string
	host  netip.Addr
	token bool
}

const maxLogins = 64 // maximum number of logins read from a request

func readForm(r *HTTPRequest) (f form) {
	text := string(r.Body)
	if _, query, ok := strings.Cut(string(r.Target), "?"); ok {
		text = query
	}
	values, _ := url.ParseQuery(text) // also returns the valid part if there is an error
	f.action, f.title, f.name = values.Get("action"), values.Get("title"), values.Get("callsign")
	if f.action == "ADD" {
		at := values.Get("nameport")
		port, err := strconv.ParseUint(at[strings.LastIndexByte(at, ':')+1:], 10, 16)
		if f.game = uint16(port); err != nil {
			f.game = Port
		}
	}
	for line := range strings.Lines(values.Get("checktokens")) {
		who, token, _ := strings.Cut(strings.TrimSpace(line), "=")
		at := strings.LastIndexByte(who, '@')
		if host, err := netip.ParseAddr(who[at+1:]); at > 0 && err == nil && len(f.logins) < maxLogins {
			f.logins = append(f.logins, login{who[:at], host, token != ""})
		}
	}
	return f
}
