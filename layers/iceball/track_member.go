package iceball

import "net/netip"

// member is an announcer of a heartbeat server. A list is compared with the members of its server only.
type member struct {
	heartbeat    *heartbeat // nil after it left
	socket       netip.AddrPort
	newer, older *member // by their last message
}

// join makes a host the newest member.
func (m *member) join(h *heartbeat, socket netip.AddrPort) {
	m.leave()
	if h.members == maxMembers {
		h.oldest.leave()
	}
	m.heartbeat, m.socket, m.older = h, socket, h.newest
	if h.newest != nil {
		h.newest.newer = m
	} else {
		h.oldest = m
	}
	h.newest = m
	h.members++
}

// stay makes a member the newest.
func (m *member) stay() {
	if m.heartbeat != nil {
		m.join(m.heartbeat, m.socket)
	}
}

// leave ends the membership, if there is one.
func (m *member) leave() {
	h := m.heartbeat
	if h == nil {
		return
	}
	if m.newer != nil {
		m.newer.older = m.older
	} else {
		h.newest = m.older
	}
	if m.older != nil {
		m.older.newer = m.newer
	} else {
		h.oldest = m.newer
	}
	h.members--
	*m = member{}
}

// close ends all memberships.
func (h *heartbeat) close() {
	for h.oldest != nil {
		h.oldest.leave()
	}
}
