package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// readingOptions say how bytes are read.
type readingOptions struct {
	decodeAs []string
	dialect  string
	memory   memoryOptions
}

func (o *readingOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.decodeAs, "decode-as", "d", nil,
		"`PORT,PROTOCOL`: take the traffic of a port for a protocol (udp.port==7000,tribes; tcp.port==7000,bzflag24); "+
			"may repeat")
	f.StringVar(&o.dialect, "dialect", "wire", "whose `READING` holds where the bytes cannot tell: wire (real programs) "+
		"or document")
	completeWith(c, "dialect", "wire", "document")
	o.memory.flags(c)
}

// engine gives the engine's share of the options.
func (o *readingOptions) engine() (decode.Options, error) {
	e := decode.Options{Protocols: layers.All(), Memory: o.memory.engine()}
	if err := o.memory.apply(); err != nil {
		return e, err
	}
	switch o.dialect {
	case "wire":
	case "document":
		e.Dialect = wire.Document
	default:
		return e, oneOf("--dialect", o.dialect, []string{"wire", "document"})
	}
	for _, s := range o.decodeAs {
		as, err := parseDecodeAs(s)
		if err != nil {
			return e, err
		}
		for _, other := range e.DecodeAs {
			if other.Port == as.Port && other.Transport == as.Transport {
				return e, fmt.Errorf("-d %s: this port is taken for %s already; it can be one protocol's", s, other.Protocol.Name)
			}
		}
		e.DecodeAs = append(e.DecodeAs, as)
	}
	return e, nil
}

// parseDecodeAs reads "udp.port==6970,bloodmasters" and "tcp.port==5160,bzflag17".
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
		return as, fmt.Errorf("-d %s: %q is no port", s, port)
	}
	as.Port = uint16(n)
	as.Protocol = layers.ByName(strings.TrimSpace(name))
	if as.Protocol == nil {
		return as, oneOf("-d "+s+":", name, protocolNames())
	}
	if as.Transport == wire.TCP && as.Protocol.NewSplitter == nil {
		return as, fmt.Errorf("-d %s: nobody speaks %s over TCP", s, as.Protocol.Name)
	}
	return as, nil
}

// decodeOptions say what messages are looked for, and which of them are looked at.
type decodeOptions struct {
	packets packetOptions
	filter  string
	reading readingOptions
	mask    bool
	once    bool
}

func (o *decodeOptions) flags(c *cobra.Command) {
	f := c.Flags()
	o.packets.flags(c)
	f.VarP(&onceText{to: &o.filter}, "display-filter", "Y",
		"look only at what the `FILTER` is true of, as in Wireshark: 'tribes && udp.port == 28000'")
	f.BoolVar(&o.once, "once", false, "look at each event once: of the messages by which a server tells it to several "+
		"clients, at the first")
	o.reading.flags(c)
	f.BoolVar(&o.mask, "mask-secrets", false, "show asterisks for passwords and tokens, among the bytes as well")
	completeBy(c, "display-filter", completeNames)
}

// engine gives the engine's share of the options.
func (o *decodeOptions) engine() (decode.Options, error) {
	e, err := o.reading.engine()
	e.Protocols, e.MaskSecrets = o.packets.chosen, o.mask
	return e, err
}

// gate makes a gate that lets through what is looked at.
func (o *decodeOptions) gate(d *display) gate {
	g := openGate(d)
	g.single = o.once
	return g
}

// all reports whether everything is looked at.
func (o *decodeOptions) all() bool { return o.filter == "" && !o.once }
