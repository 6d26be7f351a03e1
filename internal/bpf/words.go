package bpf

// An ipProtocol is a protocol that can follow the IP header.
type ipProtocol struct {
	number  uint32
	version int  // IP version that the word requires; 0: both
	indexed bool // filters can read its bytes
}

var ipProtocols = map[string]ipProtocol{
	"icmp": {1, 4, true}, "igmp": {2, 4, true}, "tcp": {6, 0, true}, "igrp": {9, 4, true}, "udp": {17, 0, true},
	"esp": {50, 0, false}, "ah": {51, 0, false}, "icmp6": {58, 6, true}, "pim": {103, 0, true},
	"vrrp": {112, 4, true}, "carp": {112, 4, true}, "sctp": {132, 0, true},
}

var etherTypes = map[string]uint32{"ip": etherIP4, "ip6": etherIP6, "arp": etherARP, "rarp": etherRARP}

// otherWords are the words that are not protocols.
var otherWords = map[string]bool{
	"src": true, "dst": true, "host": true, "net": true, "mask": true, "port": true, "portrange": true, "proto": true,
	"less": true, "greater": true, "len": true, "length": true, "broadcast": true, "multicast": true,
	"inbound": true, "outbound": true, "vlan": true, "mpls": true, "pppoed": true, "pppoes": true,
	"ether": true, "link": true,
}

func isKeyword(word string) bool {
	_, isIP := ipProtocols[word]
	_, isEther := etherTypes[word]
	return isIP || isEther || otherWords[word]
}

// instead maps each rejected word of pcap-filter(7) to advice on what to write instead.
var instead = map[string]string{
	"gateway":    "write ether host 00:11:22:aa:bb:cc and not host 10.0.0.1",
	"protochain": "write proto 6, which looks at the first header after IP's",
	"geneve":     "write udp port 6081", "vxlan": "write udp port 4789",
	"ifindex": "write link[4:4] = 2 for Linux cooked v2 frames",
	"action":  "write link[2] = 1 for what PFLOG says was blocked", "reason": "write link[3] = 0 for PFLOG frames",
	"ifname": ofPFLOG, "on": ofPFLOG, "rset": ofPFLOG, "ruleset": ofPFLOG,
	"rnr": ofRule, "rulenum": ofRule, "srnr": ofRule, "subrulenum": ofRule,
	"byte": "write link[8] = 5",
	"fddi": "write ether", "tr": "write ether", "ppp": "write link", "slip": "write link",
	"decnet": "write ether proto 0x6003", "moprc": "write ether proto 0x6002", "mopdl": "write ether proto 0x6001",
	"lat": "write ether proto 0x6004", "sca": "write ether proto 0x6007", "loopback": "write 0x9000",
	"ipx": "write ether proto 0x8137", "atalk": "write ether proto 0x809b", "aarp": "write ether proto 0x80f3",
	"stp": ofLLC, "netbeui": ofLLC, "iso": ofLLC, "clnp": ofLLC, "esis": ofLLC, "isis": ofLLC, "llc": ofLLC,
	"wlan": ofWiFi, "radio": ofWiFi, "type": ofWiFi, "subtype": ofWiFi, "dir": ofWiFi,
	"ra": ofWiFi, "ta": ofWiFi, "addr1": ofWiFi, "addr2": ofWiFi, "addr3": ofWiFi, "addr4": ofWiFi,
}

const (
	ofLLC   = "write ether[12:2] <= 1500 and ether[14] = 0x42, with the number of the LLC header"
	ofPFLOG = "write link[4:4] = 0x656d3000 for PFLOG frames of em0"
	ofRule  = "write link[36:4] = 5 for rule 5 of PFLOG frames, link[40:4] for a rule of a ruleset"
	ofWiFi  = "frames of IEEE 802.11 cannot be filtered; use -Y to select messages"
)

// portNumbers are some of the ports registered with IANA.
var portNumbers = map[string]uint32{
	"ftp-data": 20, "ftp": 21, "ssh": 22, "telnet": 23, "smtp": 25, "domain": 53, "tftp": 69, "http": 80, "pop3": 110,
	"ntp": 123, "imap": 143, "snmp": 161, "ldap": 389, "https": 443, "syslog": 514, "mdns": 5353, "bzflag": 5154,
}

// constants are named numbers: offsets and values of fields, from RFC 792, RFC 9293 and IANA's table for ICMPv6.
var constants = map[string]uint32{
	"tcpflags": 13,
	"tcp-fin":  1, "tcp-syn": 2, "tcp-rst": 4, "tcp-push": 8, "tcp-ack": 16, "tcp-urg": 32, "tcp-ece": 64, "tcp-cwr": 128,

	"icmptype": 0, "icmpcode": 1,
	"icmp-echoreply": 0, "icmp-unreach": 3, "icmp-sourcequench": 4, "icmp-redirect": 5, "icmp-echo": 8,
	"icmp-routeradvert": 9, "icmp-routersolicit": 10, "icmp-timxceed": 11, "icmp-paramprob": 12, "icmp-tstamp": 13,
	"icmp-tstampreply": 14, "icmp-ireq": 15, "icmp-ireqreply": 16, "icmp-maskreq": 17, "icmp-maskreply": 18,

	"icmp6type": 0, "icmp6code": 1,
	"icmp6-destinationunreach": 1, "icmp6-packettoobig": 2, "icmp6-timeexceeded": 3, "icmp6-parameterproblem": 4,
	"icmp6-echo": 128, "icmp6-echoreply": 129, "icmp6-multicastlistenerquery": 130,
	"icmp6-multicastlistenerreportv1": 131, "icmp6-multicastlistenerdone": 132, "icmp6-routersolicit": 133,
	"icmp6-routeradvert": 134, "icmp6-neighborsolicit": 135, "icmp6-neighboradvert": 136, "icmp6-redirect": 137,
	"icmp6-routerrenum": 138, "icmp6-nodeinformationquery": 139, "icmp6-nodeinformationresponse": 140,
	"icmp6-ineighbordiscoverysolicit": 141, "icmp6-ineighbordiscoveryadvert": 142,
	"icmp6-multicastlistenerreportv2": 143, "icmp6-homeagentdiscoveryrequest": 144,
	"icmp6-homeagentdiscoveryreply": 145, "icmp6-mobileprefixsolicit": 146, "icmp6-mobileprefixadvert": 147,
	"icmp6-certpathsolicit": 148, "icmp6-certpathadvert": 149, "icmp6-multicastrouteradvert": 151,
	"icmp6-multicastroutersolicit": 152, "icmp6-multicastrouterterm": 153,
}
