package message

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A Nameable is something that filters can name.
type Nameable struct {
	Name, Kind string
	symbols    wire.Symbols
	meaning    string
}

// Told gives the names of values, the first of many unless all are wanted, or else what is meant.
func (n *Nameable) Told(all bool) string {
	if len(n.symbols) == 0 {
		return n.meaning
	}
	most := 8
	if all || len(n.symbols) == most+1 {
		most = len(n.symbols)
	}
	var s []string
	for i, x := range n.symbols {
		if i == most {
			s = append(s, fmt.Sprintf("... %d more (-V)", len(n.symbols)-most))
			break
		}
		s = append(s, fmt.Sprintf("%d %s", x.Value, x.Name))
	}
	return strings.Join(s, ", ")
}

// ListFields lists all that filters can name: what carries messages, and of each protocol its messages with their
// fields, as they stand in them, before what is called the same in all of its messages.
func ListFields() []Nameable {
	l := fieldList{schema: session.NewSchema(), listed: make(map[string]bool)}
	for _, name := range l.schema.Names() {
		first, _, _ := strings.Cut(name, ".")
		if known.Protocol(first) == nil {
			kind := ""
			if l.schema.Field(name).Type() == "group" {
				kind = "presence"
			}
			l.add(name, kind, Meanings[name])
		}
	}
	for _, p := range known.Protocols() {
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

// A fieldList is being made.
type fieldList struct {
	schema *filter.Schema
	list   []Nameable
	listed map[string]bool // both sides may send the same field
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
		for _, made := range []string{"_name", "_bits", ".x", ".y", ".z"} {
			l.add(name+made, "", "")
		}
	}
}

// add adds a name, if there is such a field. Without a kind it is that of its values.
func (l *fieldList) add(name, kind, meaning string) {
	f := l.schema.Field(name)
	if f == nil || l.listed[name] || !l.exists(name) {
		return
	}
	l.listed[name] = true
	if kind == "" {
		kind = f.Type()
	}
	l.list = append(l.list, Nameable{name, kind, f.Symbols, meaning})
}

// exists reports whether a name is one of the schema's own. Below some groups every name is good.
func (l *fieldList) exists(name string) bool {
	_, ok := slices.BinarySearch(l.schema.Names(), name)
	return ok
}

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

// Meanings tell what the names are that belong to no protocol.
var Meanings = map[string]string{
	"code": "the message's code", "communityid": "that of the conversation, as other tools compute it",
	"copy":         "of what a server told somebody else before",
	"direction":    "c2s to a server, s2c from one, p2p between equals",
	"finding":      "a rule is broken here",
	"finding.rule": "its name: gamedissect rules lists them", "finding.severity": "how grave it is",
	"finding.text":     "what is wrong",
	"frame":            "always there",
	"frame.file":       "the file that the packet is in",
	"frame.number":     "of the packet in its file, from 1",
	"frame.time":       "when the packet was captured",
	"frame.time_epoch": "seconds since 1970", "frame.time_relative": "since the first packet",
	"info": "what a line says of the message", "length": "bytes of the message",
	"ip": "IPv4", "ip.addr": "source or destination", "ip.dst": "destination", "ip.src": "source",
	"ipv6": "IPv6", "ipv6.addr": "source or destination", "ipv6.dst": "destination", "ipv6.src": "source",
	"message": "its name, as in MsgKilled", "protocol": "its name, as in tribes",
	"response_time": "from a question to the answer that this is", "stream": "number of the conversation",
	"tcp": "TCP", "tcp.dstport": "destination", "tcp.port": "source or destination", "tcp.srcport": "source",
	"tcp.stream": "number of the conversation, if it is TCP",
	"time_delta": "since the message before in the conversation", "transport": "udp or tcp",
	"udp": "UDP", "udp.dstport": "destination", "udp.port": "source or destination", "udp.srcport": "source",
	"udp.stream": "number of the conversation, if it is UDP",
}
