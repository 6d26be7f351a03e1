package bpf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/capture"
)

// PortsFilter returns a filter for packets from or to these ports, and for all fragments after the first, because these
// have no ports. On Ethernet it also finds both of these after one VLAN tag. Without ports it finds only the fragments.
func PortsFilter(udp, tcp []uint16, link capture.LinkType) string {
	var conditions []string
	list := func(protocol string, ports []uint16) {
		ports = slices.Clone(ports)
		slices.Sort(ports)
		for _, p := range slices.Compact(ports) {
			conditions = append(conditions, fmt.Sprintf("%s port %d", protocol, p))
		}
	}
	list("udp", udp)
	list("tcp", tcp)
	conditions = append(conditions, "ip[6:2] & 0x1fff != 0", "ip6[6] = 44")
	filter := strings.Join(conditions, " or ")
	if link == linkEthernet {
		filter += " or (vlan and (" + filter + "))"
	}
	return filter
}
