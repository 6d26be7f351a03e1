package iceball

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const (
	maxList     = 1 << 20 // bytes that are checked; a list with a thousand servers has 200 kB
	maxListed   = 1024    // maximum entries
	maxReported = 8       // maximum findings of one kind
)

// list is a master.json.
type list struct {
	core      *wire.Base
	place     *wire.Place // of the answer
	from      int64       // when the request was sent; the server wrote the list after this
	off, size int         // position of the body in the answer
	entries   []entry
	newest    Version // newest version of the game according to the list; 0 if missing
	at        map[netip.AddrPort]struct{}
	order     []netip.AddrPort // the keys of the map at, sorted
	partial   bool             // the map at lacks some entries
	reported  map[*wire.Rule]int
}

func (l *list) report(r *wire.Rule, format string, args ...any) {
	if l.reported == nil {
		l.reported = make(map[*wire.Rule]int)
	}
	if l.reported[r]++; l.reported[r] <= maxReported {
		l.core.Report(r, l.off, l.size, format, args...)
	}
}

// entry is a server in master.json. See "/master.json" in the protocol document.
type entry struct {
	at                   netip.AddrPort // zero if the entry has no valid address
	name, mode, level    string
	version              string
	port, current, limit int64
}

// read reads master.json. problem is "" if the list has all keys of the document.
func (l *list) read(body []byte) (problem string) {
	var top map[string]json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(body, &top); errors.As(err, &syntax) {
		return fmt.Sprintf("no JSON, from byte %d of the body on", syntax.Offset)
	} else if err != nil || top == nil {
		return "no JSON object"
	}
	var version int64
	if problem := readInteger(top, "version", &version); problem != "" {
		return problem
	}
	var newest int64
	if readInteger(top, "iceball_version", &newest) == "" && newest > 0 && newest <= math.MaxUint32 {
		l.newest = Version(newest)
	}
	var servers []json.RawMessage
	if problem := readValue(top, "servers", '[', "list", &servers); problem != "" {
		return problem
	}
	for i, raw := range servers {
		var e entry
		if problem := e.read(raw); problem != "" {
			return fmt.Sprintf("servers[%d]: %s", i, problem)
		}
		l.entries = append(l.entries, e)
	}
	return ""
}

func (e *entry) read(raw []byte) string {
	var keys map[string]json.RawMessage
	if !bytes.HasPrefix(raw, []byte("{")) || json.Unmarshal(raw, &keys) != nil {
		return "no object"
	}
	var address string
	for _, text := range []struct {
		key string
		v   *string
	}{{"address", &address}, {"name", &e.name}, {"mode", &e.mode}, {"map", &e.level}, {"version", &e.version}} {
		if problem := readValue(keys, text.key, '"', "string", text.v); problem != "" {
			return problem
		}
	}
	for _, number := range []struct {
		key string
		v   *int64
	}{{"port", &e.port}, {"players_current", &e.current}, {"players_max", &e.limit}} {
		if problem := readInteger(keys, number.key, number.v); problem != "" {
			return problem
		}
	}
	if a, err := netip.ParseAddr(address); err == nil && e.port >= 0 && e.port <= math.MaxUint16 {
		e.at = netip.AddrPortFrom(a.WithZone(""), uint16(e.port))
	}
	return ""
}

// readValue reads the value of a key. The first byte of the value determines its type.
func readValue(keys map[string]json.RawMessage, key string, begins byte, kind string, v any) string {
	raw, ok := keys[key]
	if !ok {
		return key + " is missing"
	}
	if len(raw) == 0 || raw[0] != begins || json.Unmarshal(raw, v) != nil {
		return key + " is no " + kind
	}
	return ""
}

func readInteger(keys map[string]json.RawMessage, key string, v *int64) string {
	raw, ok := keys[key]
	if !ok {
		return key + " is missing"
	}
	if string(raw) == "null" || json.Unmarshal(raw, v) != nil {
		return key + " is no integer"
	}
	return ""
}

// differs returns how an entry differs from the announce, or "". A text that is not UTF-8 cannot appear in a list
// unchanged, so it is not compared.
func (e *entry) differs(f *facts) string {
	for _, n := range []struct {
		key          string
		have, listed int64
	}{{"port", int64(f.port), e.port}, {"players_current", int64(f.current), e.current}, {"players_max", int64(f.limit),
		e.limit}} {
		if n.have != n.listed {
			return fmt.Sprintf("%s is %d, announced was %d", n.key, n.listed, n.have)
		}
	}
	for _, s := range []struct {
		key    string
		have   []byte
		listed string
	}{{"name", f.name[:], e.name}, {"mode", f.mode[:], e.mode}, {"map", f.level[:], e.level}} {
		have := wire.Trim(s.have)
		if utf8.Valid(have) && string(have) != s.listed {
			return fmt.Sprintf("%s is %q, announced was %q", s.key, s.listed, have)
		}
	}
	have := f.version.String()
	if e.version == have {
		return ""
	}
	if i := strings.IndexFunc(have, isLetter); i >= 0 && e.version == have[:i]+"."+have[i:] {
		return "" // "0.2.a", which heartbeat servers wrote when the document was written
	}
	return fmt.Sprintf("version is %q, announced was %q", e.version, have)
}

func isLetter(r rune) bool { return r > '9' }

// translated reports whether address translation between a server and the heartbeat server may explain why a list has
// another address.
func (l *list) translated(from netip.Addr, f *facts) bool {
	if isLocal(from) && !isLocal(l.place.Src.Addr()) {
		return true
	}
	for i := range l.entries {
		if e := &l.entries[i]; e.at.Addr() != from && e.name == string(wire.Trim(f.name[:])) &&
			e.port == int64(f.port) {
			return true
		}
	}
	return false
}
