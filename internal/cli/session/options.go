package session

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// ReadingOptions determine how the engine interprets bytes.
type ReadingOptions struct {
	DecodeAs []string
	dialect  string
	Memory   MemoryOptions
}

// Flags adds the flags of the options.
func (o *ReadingOptions) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.DecodeAs, "decode-as", "d", nil,
		"decode a port as a protocol: `PORT,PROTOCOL`, such as udp.port==7000,tribes or tcp.port==7000,bzflag24; "+
			"may repeat")
	f.StringVar(&o.dialect, "dialect", "wire", "how to read ambiguous bytes, as `READING`: wire (as real programs do) "+
		"or document")
	option.CompleteWith(c, "dialect", "wire", "document")
	o.Memory.Flags(c)
}

// Engine returns the options for an engine, and applies --memory to the process.
func (o *ReadingOptions) Engine() (decode.Options, error) {
	e := decode.Options{Protocols: option.Protocols(), Memory: o.Memory.Engine()}
	if err := o.Memory.Apply(); err != nil {
		return e, err
	}
	switch o.dialect {
	case "wire":
	case "document":
		e.Dialect = wire.Document
	default:
		return e, option.OneOf("--dialect", o.dialect, []string{"wire", "document"})
	}
	for _, s := range o.DecodeAs {
		as, err := parseDecodeAs(s)
		if err != nil {
			return e, err
		}
		for _, other := range e.DecodeAs {
			if other.Port == as.Port && other.Transport == as.Transport {
				return e, fmt.Errorf("-d %s: this port is already decoded as %s; a port can have only one protocol", s,
					other.Protocol.Name)
			}
		}
		e.DecodeAs = append(e.DecodeAs, as)
	}
	return e, nil
}

// parseDecodeAs parses values such as "udp.port==6970,bloodmasters" and "tcp.port==5160,bzflag17".
func parseDecodeAs(s string) (decode.DecodeAs, error) {
	var as decode.DecodeAs
	where, name, ok := strings.Cut(s, ",")
	field, port, ok2 := strings.Cut(where, "==")
	switch field = strings.TrimSpace(field); {
	case ok && ok2 && field == "udp.port":
		as.Transport = wire.UDP
	case ok && ok2 && field == "tcp.port":
		as.Transport = wire.TCP
	default:
		return as, fmt.Errorf("-d %s: the form is udp.port==PORT,PROTOCOL or tcp.port==PORT,PROTOCOL", s)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(port), 10, 16)
	if err != nil || n == 0 {
		return as, fmt.Errorf("-d %s: %q is not a port", s, port)
	}
	as.Port = uint16(n)
	as.Protocol = option.Protocol(strings.TrimSpace(name))
	if as.Protocol == nil {
		return as, option.OneOf("-d "+s+":", name, option.ProtocolNames())
	}
	if as.Transport == wire.TCP && as.Protocol.NewSplitter == nil {
		return as, fmt.Errorf("-d %s: %s does not run over TCP", s, as.Protocol.Name)
	}
	return as, nil
}

// DecodeOptions select the messages that the engine looks for, and decide which of them a run passes to its sinks.
type DecodeOptions struct {
	Packets PacketOptions
	Filter  string
	Reading ReadingOptions
	Mask    bool
	Once    bool
}

// Flags adds the flags of the options.
func (o *DecodeOptions) Flags(c *cobra.Command) {
	f := c.Flags()
	o.Packets.flags(c)
	f.VarP(&option.OnceText{To: &o.Filter}, "display-filter", "Y",
		"show only messages and findings that match `FILTER`, in Wireshark's language: 'tribes && udp.port == 28000'; "+
			"where addresses and ports suffice, -f is faster")
	f.BoolVar(&o.Once, "once", false, "show each event once, even if the server sends it to several clients: "+
		"the first message about it")
	o.Reading.Flags(c)
	f.BoolVar(&o.Mask, "mask-secrets", false, "show asterisks for passwords and tokens, also in the bytes")
	option.CompleteBy(c, "display-filter", CompleteNames)
}

// Engine returns the options for an engine. Packets.Check must be called first.
func (o *DecodeOptions) Engine() (decode.Options, error) {
	e, err := o.Reading.Engine()
	e.Protocols, e.MaskSecrets = o.Packets.chosen, o.Mask
	return e, err
}

// Selection returns what the options select. It compiles -Y with the schema. A caller whose sinks do not read fields
// passes nil, and Selection makes a schema if -Y needs one.
func (o *DecodeOptions) Selection(schema *filter.Schema) (s Selection, err error) {
	s.single = o.Once
	if schema == nil && o.Filter != "" {
		schema = NewSchema()
	}
	if schema != nil {
		s.Subjects = NewSubjects(schema)
		s.Filter, err = NewFilter(schema, o.Filter)
	}
	return s, err
}

// All reports whether the options select all messages.
func (o *DecodeOptions) All() bool { return o.Filter == "" && !o.Once }
