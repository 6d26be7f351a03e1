package view

import (
	"errors"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// Reading is a part of Options as the page hands it on.
type Reading struct {
	MaskSecrets bool       `json:"mask_secrets"`
	Document    bool       `json:"document,omitempty"` // where bytes cannot tell, as the documents say
	DecodeAs    []DecodeAs `json:"decode_as,omitempty"`
}

// DecodeAs takes the traffic of a port for a protocol.
type DecodeAs struct {
	TCP      bool   `json:"tcp"` // else UDP
	Port     uint16 `json:"port"`
	Protocol string `json:"protocol"`
}

// Options are those that r stands for.
func (r *Reading) Options(protocols []*wire.Protocol) (Options, error) {
	o := Options{Protocols: protocols, MaskSecrets: r.MaskSecrets}
	if r.Document {
		o.Dialect = wire.Document
	}
	for _, as := range r.DecodeAs {
		transport := wire.UDP
		if as.TCP {
			transport = wire.TCP
		}
		i := slices.IndexFunc(protocols, func(p *wire.Protocol) bool { return p.Name == as.Protocol })
		if i < 0 {
			return o, errors.New("no protocol is called " + as.Protocol)
		}
		o.DecodeAs = append(o.DecodeAs, decode.DecodeAs{Transport: transport, Port: as.Port, Protocol: protocols[i]})
	}
	return o, nil
}
