package view

import (
	"math"
	"net/netip"
	"reflect"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

func makePlain(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(format.Unquoted(v.String()))
	case reflect.Slice:
		for i := range v.Len() {
			makePlain(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			makePlain(v.Elem())
		}
	case reflect.Struct:
		for _, f := range v.Fields() {
			if f.CanSet() {
				makePlain(f)
			}
		}
	}
}

// endpoint formats an address and port. It returns "" if the address is unknown.
func endpoint(at netip.AddrPort) string {
	if !at.IsValid() {
		return ""
	}
	return at.String()
}

// nameOf returns a protocol's name, or "" if the protocol is unknown.
func nameOf(p *wire.Protocol) string {
	if p == nil {
		return ""
	}
	return p.Name
}

// streamOf returns tshark's name for a conversation, such as "tcp,0".
func streamOf(p *wire.Place) string {
	if p.Conversation < 0 {
		return ""
	}
	return p.Transport.String() + "," + strconv.Itoa(p.Conversation)
}

// finite returns f, or 0 if JSON cannot represent f.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

func utc(ns int64) string { return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000000000Z") }
