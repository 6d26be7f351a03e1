package iceball

import (
	"bytes"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const maxAddress = len("0000:0000:0000:0000:0000:ffff:255.255.255.255")

// names calls host with the addresses of the servers in a part of a list. Each quoted text that is an address belongs
// to a server.
func names(t wire.Transport, d *wire.Datagram, host func(netip.Addr)) {
	if t != wire.TCP {
		return
	}
	for rest := d.Payload; ; {
		from := bytes.IndexByte(rest, '"')
		if from < 0 {
			return
		}
		rest = rest[from+1:]
		size := bytes.IndexByte(rest[:min(len(rest), maxAddress+1)], '"')
		if size <= 0 || rest[0] != ':' && (rest[0] < '0' || rest[0] > 'f') {
			continue
		}
		if a, err := netip.ParseAddr(string(rest[:size])); err == nil {
			host(a.WithZone(""))
		}
	}
}
