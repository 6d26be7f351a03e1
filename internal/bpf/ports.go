package bpf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/capture"
)

// PortsFilter returns a filter for packets from or to the given ports. The filter also accepts all fragments, because
// only the first fragment of a packet has ports. On Ethernet, it accepts the same packets after one VLAN tag. If no
// ports are given, it accepts only fragments.
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
