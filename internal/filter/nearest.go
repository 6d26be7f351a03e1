package filter

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns no proposals for a name longer than maxName bytes.
const maxName = 100

// wiresharkNames maps Wireshark's field names to ours.
var wiresharkNames = map[string]string{
	"frame.time_delta": "time_delta", "frame.time_delta_displayed": "time_delta",
	"question_in": "response_time", // a field of our Wireshark plugin that only messages with a response_time have
	"tcp.seq":     "tcp.seq_raw", "tcp.ack": "tcp.ack_raw", "tcp.window_size": "tcp.window_size_value",
	"tcp.flags.ece": "tcp.flags.ecn", "tcp.flags.ae": "tcp.flags.ns", "data.data": "udp.payload", "data": "udp.payload",
	"udp.time_delta": "time_delta", "tcp.time_delta": "time_delta",
	"udp.time_relative": "frame.time_relative", "tcp.time_relative": "frame.time_relative",
	"frame.len": "length", "frame.cap_len": "length", "udp.length": "length", "tcp.len": "length", "data.len": "length",
	"frame.protocols": "protocol", "ip.host": "ip.addr", "ip.src_host": "ip.src", "ip.dst_host": "ip.dst",
	"ipv6.host": "ipv6.addr", "ipv6.src_host": "ipv6.src", "ipv6.dst_host": "ipv6.dst",
	"_ws.col.info": "info", "_ws.col.protocol": "protocol", "_ws.malformed": "finding",
	"_ws.expert": "finding", "_ws.expert.severity": "finding.severity", "_ws.expert.message": "finding.text",
}

// A near is a known name that the user may have meant.
type near struct {
	name     string
	rank     int // kind of similarity; the lowest rank is the most similar
	distance int // number of differing letters
}

// Nearest returns a few known names that are similar to an unknown name. It finds our name for a Wireshark name, the
// full name for a name without its protocol, longer names, and names that differ in a few letters.
func Nearest(name string, known []string) []string {
	if len(name) > maxName {
		return nil
	}
	if here := wiresharkNames[strings.ToLower(name)]; here != "" && slices.Contains(known, here) {
		return []string{here}
	}
	var found []near
	for _, k := range known {
		if rank, distance, ok := likeness(name, k); ok {
			found = append(found, near{k, rank, distance})
		}
	}
	slices.SortStableFunc(found, func(x, y near) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.distance, y.distance),
			cmp.Compare(strings.Count(x.name, "."), strings.Count(y.name, ".")), cmp.Compare(len(x.name), len(y.name)))
	})
	return mostLike(found)
}

// mostLike returns the first few names, as long as they are about as similar as the first one.
func mostLike(found []near) []string {
	const maxProposals = 3
	var names []string
	same := make(map[[2]string]bool) // bzflag24.killer is the same field as bzflag24.killed.killer
	for _, n := range found {
		first, last := n.name[:strings.IndexByte(n.name+".", '.')], n.name[strings.LastIndexByte(n.name, '.')+1:]
		switch ends := [2]string{first, last}; {
		case len(names) == maxProposals || n.rank > found[0].rank || n.distance > found[0].distance+1:
			return names
		case !same[ends]:
			same[ends] = true
			names = append(names, n.name)
		}
	}
	return names
}

// likeness compares a known name with the user's name. It ignores case and underscores.
func likeness(name, known string) (rank, distance int, ok bool) {
	if strings.HasSuffix(known, "."+name) || known == "Msg"+name {
		return 0, 0, true
	}
	name, known = plainName(name), plainName(known)
	in, last := cutName(name)
	knownIn, knownLast := cutName(known)
	if in != "" && in == knownIn {
		distance = levenshtein.ComputeDistance(last, knownLast)
		if strings.HasPrefix(knownLast, last) {
			distance = min(distance, 1)
		}
		return 1, distance, distance <= max(len(last)/2, 1)
	}
	limit := max(len(name)/3, 1)
	if in != "" {
		limit = max(len(last)/3, 2)
	}
	if distance = levenshtein.ComputeDistance(name, known); distance <= limit {
		return 2, distance, true
	}
	if in != "" || len(name) < 3 {
		return 0, 0, false
	}
	if distance = levenshtein.ComputeDistance(name, knownLast); distance <= len(name)/3 {
		return 3, distance, true
	}
	return 4, 0, strings.HasPrefix(strings.TrimPrefix(knownLast, "msg"), name)
}

func plainName(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "") }

func cutName(name string) (in, last string) {
	at := strings.LastIndexByte(name, '.')
	return name[:max(at, 0)], name[at+1:]
}
