package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/layers"
)

// newFields makes the command that lists what filters can name.
func newFields(std streams) *cobra.Command {
	all := false
	c := &cobra.Command{
		Use:   "fields [PATTERN...]",
		Short: "list the names for -Y and -e: fields, messages, what carries them",
		Long: `fields lists everything that -Y and -e can name, with its type and, where its values have names, the names.
The list is made by the code that reads the messages, so it is complete. A name is protocol.message.field, or
protocol.field for every message that has the field; inside lists and groups the names are joined by a dot.

A PATTERN is a part of names between dots, a pattern as shells have them, or what names begin with.

On a terminal long lines go on below. A pipe gets a line a name, with tabs between the columns, for grep and cut.`,
		Example: `  gamedissect fields tribes.master_list_reply
  gamedissect fields killed bzflag24.shot_begin
  gamedissect fields 'bzflag24.*flag*' -V
  gamedissect fields frame ip udp
  gamedissect fields | grep duration | cut -f1`,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return completeNames(nil, nil, begun)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			list := listFields()
			names := make([]string, len(list))
			byName := make(map[string]*nameable, len(list))
			for i := range list {
				names[i], byName[list[i].name] = list[i].name, &list[i]
			}
			names, err := namedBy(args, names, "field")
			if err != nil {
				return err
			}
			var e entries
			for _, name := range names {
				n := byName[name]
				e = append(e, []string{n.name, n.kind, n.told(all)})
			}
			return e.print(std, "name", "type", "values or meaning")
		},
	}
	c.Flags().BoolVarP(&all, "verbose", "V", false, "list all names of values, however many there are")
	return c
}

// A nameable is something that filters can name.
type nameable struct {
	name, kind string
	symbols    wire.Symbols
	meaning    string
}

// told gives the names of values, the first of many unless all are wanted, or else what is meant.
func (n *nameable) told(all bool) string {
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

// listFields lists all that filters can name: what carries messages, and of each protocol its messages with their
// fields, as they stand in them, before what is called the same in all of its messages.
func listFields() []nameable {
	l := fieldList{schema: newSchema(), listed: make(map[string]bool)}
	for _, name := range l.schema.Names() {
		first, _, _ := strings.Cut(name, ".")
		if layers.ByName(first) == nil {
			kind := ""
			if l.schema.Field(name).Type() == "group" {
				kind = "presence"
			}
			l.add(name, kind, meanings[name])
		}
	}
	for _, p := range layers.All() {
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
	list   []nameable
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
		l.add(name, fieldType(&f), "")
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
	l.list = append(l.list, nameable{name, kind, f.Symbols, meaning})
}

// exists reports whether a name is one of the schema's own. Below some groups every name is good.
func (l *fieldList) exists(name string) bool {
	_, ok := slices.BinarySearch(l.schema.Names(), name)
	return ok
}

func fieldType(f *wire.Field) string {
	t := f.Kind.String()
	if f.Bits > 0 && (f.Kind == wire.Uint || f.Kind == wire.Int) {
		t = fmt.Sprintf("%s %d", t, f.Bits)
	}
	if f.Computed {
		t += ", computed"
	}
	return t
}

// meanings tell what the names are that belong to no protocol.
var meanings = map[string]string{
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
