package bpf

import (
	"strconv"
	"strings"
)

// keywords are the words of pcap-filter(7) that libpcap has had since 0.9. One that an older libpcap
// did not have would be a host's name to it. gateway is missing because it needs a name, protochain
// because it becomes a loop, which does not run in the kernel.
var keywords = set(`src dst host net mask port portrange proto less greater broadcast multicast
	len length inbound outbound vlan mpls pppoed pppoes ether link ppp slip fddi tr wlan
	ip ip6 arp rarp tcp udp sctp icmp icmp6 igmp igrp pim vrrp ah esp
	aarp atalk decnet iso lat moprc mopdl sca stp ipx netbeui`)

// ethernetNames may stand behind "ether proto \". libpcap knows them without asking the system.
var ethernetNames = set("aarp arp atalk decnet ip ip6 ipx iso lat loopback mopdl moprc netbeui rarp sca stp")

// protocolNumbers are of IP, as IANA registers them.
var protocolNumbers = map[string]uint32{
	"icmp": 1, "igmp": 2, "tcp": 6, "udp": 17, "esp": 50, "ah": 51, "icmp6": 58, "pim": 103, "vrrp": 112, "sctp": 132,
}

// portNumbers are a few of those that IANA registers.
var portNumbers = map[string]uint32{
	"ftp": 21, "ssh": 22, "telnet": 23, "smtp": 25, "domain": 53, "tftp": 69, "http": 80, "pop3": 110, "ntp": 123,
	"imap": 143, "snmp": 161, "ldap": 389, "https": 443, "syslog": 514, "mdns": 5353, "bzflag": 5154,
}

// constants are numbers with names: offsets and values of fields, from RFC 792, 4443, 4861 and 9293.
var constants = map[string]uint32{
	"tcpflags": 13,
	"tcp-fin":  1, "tcp-syn": 2, "tcp-rst": 4, "tcp-push": 8, "tcp-ack": 16, "tcp-urg": 32, "tcp-ece": 64, "tcp-cwr": 128,

	"icmptype": 0, "icmpcode": 1,
	"icmp-echoreply": 0, "icmp-unreach": 3, "icmp-sourcequench": 4, "icmp-redirect": 5, "icmp-echo": 8,
	"icmp-routeradvert": 9, "icmp-routersolicit": 10, "icmp-timxceed": 11, "icmp-paramprob": 12, "icmp-tstamp": 13,
	"icmp-tstampreply": 14, "icmp-ireq": 15, "icmp-ireqreply": 16, "icmp-maskreq": 17, "icmp-maskreply": 18,

	"icmp6type": 0, "icmp6code": 1,
	"icmp6-destinationunreach": 1, "icmp6-packettoobig": 2, "icmp6-timeexceeded": 3, "icmp6-parameterproblem": 4,
	"icmp6-echo": 128, "icmp6-echoreply": 129, "icmp6-routersolicit": 133, "icmp6-routeradvert": 134,
	"icmp6-neighborsolicit": 135, "icmp6-neighboradvert": 136, "icmp6-redirect": 137,
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// Where in a filter names may stand, as far as the words before tell.
type place uint8

const (
	nowhere     place = iota
	afterPort         // names of ports
	inRange           // of portrange: two numbers with "-" between make one word for libpcap
	afterProto        // names of IP's protocols
	afterEther        // "proto" here asks for what Ethernet carries
	etherProtos       // names of what Ethernet carries
)

// after gives where names may stand behind a token. Signs that do not end a list of values keep it.
func (p place) after(t token) place {
	switch t.kind {
	case word:
		switch t.text {
		case "port":
			return afterPort
		case "portrange":
			return inRange
		case "proto":
			if p == afterEther {
				return etherProtos
			}
			return afterProto
		case "ether", "link", "fddi", "tr", "wlan", "ppp", "slip":
			return afterEther
		}
		if _, ok := portNumbers[t.text]; ok && p == afterPort {
			return p
		}
		return nowhere
	case sign:
		switch t.text {
		case "&&", "||", "!", "(":
			return p
		case "-":
			if p == inRange {
				return p
			}
		}
		return nowhere
	}
	return p
}

// spellOut writes a filter for libpcap: nothing in it can be taken for a name, since each word is a
// keyword, a number or an address, and stands alone.
func spellOut(filter string, tokens []token) (string, error) {
	var b strings.Builder
	at := nowhere
	for i, t := range tokens[:len(tokens)-1] {
		glued := at == inRange && (t.is(sign, "-") || i > 0 && tokens[i-1].is(sign, "-"))
		if i > 0 && !glued {
			b.WriteByte(' ')
		}
		text, err := spellToken(filter, t, at)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
		at = at.after(t)
	}
	return b.String(), nil
}

func spellToken(filter string, t token, at place) (string, error) {
	switch t.kind {
	case number:
		return strconv.FormatUint(uint64(t.number), 10), nil
	case ipv6: // all eight groups: what libpcap takes for an address has differed for the short forms
		groups := make([]string, 8)
		bytes := t.addr.As16()
		for i := range groups {
			groups[i] = strconv.FormatUint(uint64(bytes[2*i])<<8|uint64(bytes[2*i+1]), 16)
		}
		return strings.Join(groups, ":"), nil
	case escaped:
		if at == etherProtos && ethernetNames[t.text] {
			return `\` + t.text, nil
		}
		if n, ok := protocolNumbers[t.text]; ok && at == afterProto {
			return strconv.FormatUint(uint64(n), 10), nil
		}
		return "", failAt(filter, t, "%q is no name of a protocol here; give its number", t.text)
	case word:
		if n, ok := portNumbers[t.text]; ok && at == afterPort {
			return strconv.FormatUint(uint64(n), 10), nil
		}
		if !keywords[t.text] {
			return "", unknownWord(filter, t, at)
		}
	}
	return t.text, nil
}

// unknownWord is the refusal of a word that libpcap, too, would not know as one.
func unknownWord(filter string, t token, at place) *Error {
	switch {
	case at == afterPort || at == inRange:
		return failAt(filter, t, "%q is no port; names of services are not looked up, so give the number", t.text)
	case t.text == "protochain":
		return failAt(filter, t, "protochain becomes a loop, which does not run in the kernel")
	}
	return failAt(filter, t, "%q is no word of a capture filter, and names are not looked up: give addresses and numbers",
		t.text)
}
