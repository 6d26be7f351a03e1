package help

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// PrintFields prints the names for -Y and -e that match the patterns, with type and meaning. Without patterns it prints
// all names. It shortens a long list of values, unless all is set.
func PrintFields(std term.Streams, patterns []string, all bool) error {
	list := listFields()
	names := make([]string, len(list))
	byName := make(map[string]*field, len(list))
	for i := range list {
		names[i], byName[list[i].name] = list[i].name, &list[i]
	}
	names, err := option.NamedBy(patterns, names, "field")
	if err != nil {
		return err
	}
	var e term.Entries
	for _, name := range names {
		f := byName[name]
		e = append(e, []string{f.name, f.kind, f.describe(all)})
	}
	return e.Print(std, "name", "type", "values or meaning")
}

// A field is a name that filters know. It is the name of a field, a message, a protocol or a lower layer.
type field struct {
	name, kind string
	symbols    wire.Symbols
	meaning    string
}

// describe returns the names of the field's values. If the values have no names, it returns the field's meaning.
func (f *field) describe(all bool) string {
	if len(f.symbols) == 0 {
		return f.meaning
	}
	limit := 8
	if all || len(f.symbols) == limit+1 {
		limit = len(f.symbols)
	}
	var s []string
	for i, x := range f.symbols {
		if i == limit {
			s = append(s, fmt.Sprintf("... %d more (-V)", len(f.symbols)-limit))
			break
		}
		s = append(s, fmt.Sprintf("%d %s", x.Value, x.Name))
	}
	return strings.Join(s, ", ")
}

// listFields lists all names that filters know. Names that belong to no protocol come first. Then come, for each
// protocol, its messages with their fields in message order, and the names that its messages share.
func listFields() []field {
	l := fieldList{schema: session.NewSchema(), listed: make(map[string]bool)}
	for _, name := range l.schema.Names() {
		first, _, _ := strings.Cut(name, ".")
		if option.Protocol(first) == nil {
			kind := ""
			if l.schema.Field(name).Type() == "group" {
				kind = "presence"
			}
			l.add(name, kind, meanings[name])
		}
	}
	for _, p := range option.Protocols() {
		l.add(p.Name, "protocol", p.Title)
		for _, m := range p.Messages.All() {
			l.addMessage(p, m)
		}
		for _, name := range l.schema.Names() {
			if strings.HasPrefix(name, p.Name+".") {
				l.add(name, "", "")
			}
		}
	}
	return l.list
}

type fieldList struct {
	schema *filter.Schema
	list   []field
	listed map[string]bool // names already in list; client and server may send the same field
}

func (l *fieldList) addMessage(p *wire.Protocol, m *wire.MessageType) {
	path := filter.MessagePath(p, m)
	l.add(path, "message", "")
	for _, f := range p.Describe(m) {
		parts := strings.Split(f.Name, ".")
		for i := 1; i < len(parts); i++ {
			l.add(path+"."+strings.Join(parts[:i], "."), "", "")
		}
		name := path + "." + f.Name
		l.add(name, FieldType(&f), "")
		for _, suffix := range []string{"_name", "_bits", ".x", ".y", ".z"} {
			l.add(name+suffix, "", "")
		}
	}
}

// add adds a name if the schema has it. If kind is empty, it uses the type of the field's values.
func (l *fieldList) add(name, kind, meaning string) {
	f := l.schema.Field(name)
	if f == nil || l.listed[name] || !l.exists(name) {
		return
	}
	l.listed[name] = true
	if kind == "" {
		kind = f.Type()
	}
	l.list = append(l.list, field{name, kind, f.Symbols, meaning})
}

// exists reports whether the schema lists a name. It returns false for names below some groups, which the schema
// accepts without listing them.
func (l *fieldList) exists(name string) bool {
	_, ok := slices.BinarySearch(l.schema.Names(), name)
	return ok
}

// FieldType returns the type of a field as users see it, such as "uint 16, computed".
func FieldType(f *wire.Field) string {
	t := f.Kind.String()
	if f.Bits > 0 && (f.Kind == wire.Uint || f.Kind == wire.Int) {
		t = fmt.Sprintf("%s %d", t, f.Bits)
	}
	if f.Computed {
		t += ", computed"
	}
	return t
}

// meanings explains the names that belong to no protocol.
var meanings = map[string]string{
	"code": "the message's code", "communityid": "the conversation's Community ID",
	"copy":         "a duplicate: the server sent this to another client before",
	"direction":    "c2s to a server, s2c from one, p2p between equals",
	"finding":      "a rule is broken here",
	"finding.rule": "its name: gamedissect rules lists them", "finding.severity": "its severity: note, warning or error",
	"finding.text": "what is wrong",
	"eth":          "Ethernet", "eth.addr": "source or destination", "eth.dst": "destination", "eth.src": "source",
	"eth.type":         "the protocol in the frame",
	"frame":            "always present",
	"frame.cap_len":    "bytes of the packet in the capture",
	"frame.len":        "bytes of the packet on the wire",
	"frame.time_delta": "since the previous packet",
	"frame.file":       "the packet's file",
	"frame.number":     "number of the packet in its file, from 1",
	"frame.time":       "when the packet was captured",
	"frame.time_epoch": "seconds since 1970", "frame.time_relative": "since the first packet",
	"info": "the summary of the message, as in a line", "length": "bytes of the message",
	"ip": "IPv4", "ip.addr": "source or destination", "ip.dst": "destination", "ip.src": "source",
	"ip.checksum": "of the header", "ip.dsfield": "class of service", "ip.dsfield.dscp": "its upper six bits",
	"ip.dsfield.ecn": "its lower two bits", "ip.flags": "the three flags", "ip.flags.df": "do not fragment",
	"ip.flags.mf": "more fragments follow", "ip.flags.rb": "reserved", "ip.frag_offset": "of the fragment, in bytes",
	"ip.hdr_len": "bytes of the header", "ip.id": "the same in all fragments of a packet",
	"ip.len": "bytes of the IP packet", "ip.proto": "the protocol in the packet", "ip.ttl": "remaining hops",
	"ip.version": "4",
	"ipv6":       "IPv6", "ipv6.addr": "source or destination", "ipv6.dst": "destination", "ipv6.src": "source",
	"ipv6.flow": "its flow label", "ipv6.hlim": "remaining hops", "ipv6.nxt": "the next header",
	"ipv6.plen": "bytes after the header", "ipv6.tclass": "class of service", "ipv6.version": "6",
	"message": "its name, as in MsgKilled", "protocol": "its name, as in tribes",
	"response_time": "from the question to this answer", "stream": "number of the conversation",
	"tcp": "TCP", "tcp.dstport": "destination", "tcp.port": "source or destination", "tcp.srcport": "source",
	"tcp.stream": "number of the conversation, if it is TCP", "tcp.ack_raw": "acknowledgement number",
	"tcp.checksum": "of the segment", "tcp.flags": "all of them, as a number", "tcp.flags.str": "all of them, as letters",
	"tcp.hdr_len": "bytes of the header", "tcp.len": "bytes of the payload", "tcp.payload": "what follows the header",
	"tcp.seq_raw": "sequence number", "tcp.urgent_pointer": "end of the urgent data",
	"tcp.window_size_value": "bytes that may be sent, not scaled",
	"time_delta":            "since the previous message of the conversation", "transport": "udp or tcp",
	"other":      "packets that belong to no game; shown only if a filter names it",
	"other.data": "the payload of UDP or TCP, or the whole frame",
	"other.port": "the lower of the two ports", "other.service": "the usual service at that port",
	"other.transport": "udp, tcp, icmp, arp ...",
	"who":             "players that the message concerns, each by name, number and address",
	"udp":             "UDP", "udp.dstport": "destination", "udp.port": "source or destination", "udp.srcport": "source",
	"udp.stream": "number of the conversation, if it is UDP", "udp.checksum": "of the datagram",
	"udp.length": "bytes of the header and the payload", "udp.payload": "what follows the header",
}
