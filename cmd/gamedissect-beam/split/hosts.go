package split

import "net/netip"

// hosts is a union-find forest of the hosts that may belong to games. Numbers of hosts count from 1.
type hosts struct {
	numbers map[host]uint32
	parents []uint32 // parents by number; the root is the first host that joined a component
	packets []int64  // approximate number of packets of each host; [0]: of no host
	most    int      // maximum number of hosts
	full    bool     // there were more hosts
}

// host is an address.
type host [16]byte

func hostOf(a netip.Addr) host { return a.As16() }

// maxHosts limits the hosts. This many hosts take about 100 MB.
const maxHosts = 1 << 21

func newHosts(most int) *hosts {
	return &hosts{numbers: make(map[host]uint32), parents: make([]uint32, 1), packets: make([]int64, 1), most: most}
}

// number returns the number of a host. If there is no room for a new host, it returns 0.
func (h *hosts) number(a host) uint32 {
	if n := h.numbers[a]; n > 0 {
		return n
	}
	if len(h.numbers) >= h.most {
		h.full = true
		return 0
	}
	n := uint32(len(h.parents))
	h.numbers[a], h.parents = n, append(h.parents, n)
	h.packets = append(h.packets, 0)
	return n
}

// root returns the host that represents a component.
func (h *hosts) root(n uint32) uint32 {
	for h.parents[n] != n {
		h.parents[n] = h.parents[h.parents[n]] // path halving
		n = h.parents[n]
	}
	return n
}

// join joins two components. The older one of their two roots becomes the new root.
func (h *hosts) join(a, b uint32) {
	a, b = h.root(a), h.root(b)
	h.parents[max(a, b)] = min(a, b)
}

// components numbers the components in the order of their first hosts. It returns the component of each host and the
// packets of each component.
func (h *hosts) components() (of []uint32, packets []int64) {
	of, packets = make([]uint32, len(h.parents)), h.packets[:1:1]
	for n := uint32(1); int(n) < len(of); n++ {
		if root := h.root(n); root != n {
			of[n] = of[root] // roots come first
		} else {
			of[n] = uint32(len(packets))
			packets = append(packets, 0)
		}
		packets[of[n]] += h.packets[n]
	}
	return of, packets
}
