package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// A step is one packet of an exchange between a master and somebody else.
type step struct {
	fromMaster  bool
	messageType tribes.Type
	body        func(*tribesMaster, *exchange) wire.Body
}

const listPackets = 3

// The two things that a master is there for.
var (
	clientAsksForList = []step{
		{false, tribes.TypeQuery, query},
		{true, tribes.TypeMasterListReply, list},
		{true, tribes.TypeMasterListReply, list},
		{true, tribes.TypeMasterListReply, list},
	}
	serverIsVerified = []step{
		{false, tribes.TypeHeartbeat, heartbeat},
		{true, tribes.TypeQuery, query}, // in this direction a verification
		{false, tribes.TypeGameInfoReply, info},
	}
)

// Who talks to the master. The proportion makes packets of 300 bytes on average.
const (
	clients  = 7000
	servers  = 3000
	parallel = 16 // exchanges that go on at the same time
)

// generateRegistry records how so many servers announce themselves to a master all at once, again and again.
func generateRegistry(servers int) func(*recorder) error {
	return func(r *recorder) error {
		const seed = 4
		m := newTribesMaster(seed)
		for !r.full() {
			if err := m.register(r, servers); err != nil {
				return err
			}
			r.now = r.now.Add(betweenHeartbeats)
		}
		return nil
	}
}

const betweenHeartbeats = 120 * time.Second

// register has servers announce themselves: all do, then all are asked, then all answer.
func (m *tribesMaster) register(r *recorder, servers int) error {
	all := make([]exchange, servers)
	for i := range all {
		key := m.rng.Uint32()
		all[i] = exchange{steps: serverIsVerified, ip: serverIP(i), port: tribes.GamePort}
		all[i].key = [2]byte{byte(key), byte(key >> 8)}
	}
	for range serverIsVerified {
		for i := range all {
			frame, err := m.frame(&all[i])
			if err != nil {
				return err
			}
			if err := r.frame(frame); err != nil {
				return err
			}
		}
	}
	return nil
}

// An exchange is a conversation's packets from question to answer.
type exchange struct {
	steps []step
	done  int
	ip    [4]byte
	port  uint16
	key   [2]byte
}

// tribesMaster is a master with all its traffic.
type tribesMaster struct {
	rng       *rand.Rand
	exchanges [parallel]exchange
	onMessage func(*exchange, wire.Body) // is told of each message; may be nil

	ethernet layers.Ethernet
	ip       layers.IPv4
	udp      layers.UDP
	message  tribes.Layer
	buf      gopacket.SerializeBuffer
}

// generateTribes records the traffic of a master, the same in each run.
func generateTribes(r *recorder) error {
	const seed = 1
	m := newTribesMaster(seed)
	for !r.full() {
		x := &m.exchanges[m.rng.IntN(parallel)]
		if x.done == len(x.steps) {
			m.begin(x)
		}
		frame, err := m.frame(x)
		if err != nil {
			return fmt.Errorf("packet %d: %w", r.packets+1, err)
		}
		if err := r.frame(frame); err != nil {
			return err
		}
	}
	return nil
}

// generateOne records one packet, however large the capture should be.
func generateOne(r *recorder) error {
	m := newTribesMaster(1)
	m.begin(&m.exchanges[0])
	frame, err := m.frame(&m.exchanges[0])
	if err != nil {
		return err
	}
	return r.frame(frame)
}

func newTribesMaster(seed uint64) *tribesMaster {
	return &tribesMaster{
		rng:      rand.New(rand.NewPCG(seed, seed)),
		ethernet: layers.Ethernet{EthernetType: layers.EthernetTypeIPv4},
		ip:       layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolUDP},
		buf:      gopacket.NewSerializeBuffer(),
	}
}

// begin starts another exchange with somebody. Clients and servers come back again and again.
func (m *tribesMaster) begin(x *exchange) {
	who := m.rng.IntN(clients + servers)
	if who < clients {
		*x = exchange{steps: clientAsksForList, ip: [4]byte{10, 0, byte(who >> 8), byte(who)}, port: uint16(1024 + who)}
	} else {
		*x = exchange{steps: serverIsVerified, ip: serverIP(who - clients), port: tribes.GamePort}
	}
	x.key = [2]byte{byte(m.rng.Uint32()), byte(m.rng.Uint32())}
}

func serverIP(n int) [4]byte { return [4]byte{10, 1, byte(n >> 8), byte(n)} }

// frame makes the next packet of an exchange. It is valid until the next call.
func (m *tribesMaster) frame(x *exchange) ([]byte, error) {
	s := x.steps[x.done]
	body := s.body(m, x)
	if m.onMessage != nil {
		m.onMessage(x, body)
	}
	m.message = tribes.Layer{Version: tribes.Version, Type: s.messageType, Base: wire.Base{Body: body}}
	x.done++
	m.address(x, s.fromMaster)
	err := gopacket.SerializeLayers(m.buf, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true},
		&m.ethernet, &m.ip, &m.udp, &m.message)
	return m.buf.Bytes(), err
}

// address writes sender and receiver into the headers.
func (m *tribesMaster) address(x *exchange, fromMaster bool) {
	here, there := net.IP{198, 51, 100, 1}, net.IP(x.ip[:])
	m.ip.SrcIP, m.ip.DstIP = there, here
	m.udp.SrcPort, m.udp.DstPort = layers.UDPPort(x.port), tribes.MasterPort
	if fromMaster {
		m.ip.SrcIP, m.ip.DstIP = here, there
		m.udp.SrcPort, m.udp.DstPort = m.udp.DstPort, m.udp.SrcPort
	}
	m.ethernet.SrcMAC, m.ethernet.DstMAC = mac(m.ip.SrcIP), mac(m.ip.DstIP)
	m.ip.Id++
	_ = m.udp.SetNetworkLayerForChecksum(&m.ip) // IPv4 can always be one
}

// mac makes an address that no device has.
func mac(ip net.IP) net.HardwareAddr { return append(net.HardwareAddr{2, 0}, ip...) }

func query(_ *tribesMaster, x *exchange) wire.Body {
	return &tribes.Query{
		Number: tribes.AllPackets, HasNumber: true, HasToSend: true, Key: x.key, HasKey: true, HasID: true,
	}
}

func heartbeat(_ *tribesMaster, x *exchange) wire.Body {
	return &tribes.Heartbeat{Head: tribes.Head{
		Number: tribes.AllPackets, HasNumber: true, HasTotal: true, Key: x.key, HasKey: true, HasID: true,
	}}
}

// list gives a packet of the list, with servers from anywhere among those that there are.
func list(m *tribesMaster, x *exchange) wire.Body {
	r := &tribes.MasterListReply{Number: uint8(x.done), Total: listPackets, Key: x.key, MasterID: 102}
	if r.Number == 1 {
		r.Name, r.MOTD = []byte("Tribes Master"), []byte("Welcome to the tribes")
	}
	const most = 70
	first := int(x.key[0])<<8 + int(x.key[1]) + x.done*most // no packet of a list repeats another
	for i := range most - 20 + m.rng.IntN(20) {
		r.Servers = append(r.Servers, tribes.Server{Marker: 6, IP: serverIP((first + i) % servers), Port: tribes.GamePort})
	}
	return r
}

func info(m *tribesMaster, x *exchange) wire.Body {
	var name [30]byte
	copy(name[:], fmt.Sprintf("Server of %d.%d.%d.%d", x.ip[0], x.ip[1], x.ip[2], x.ip[3]))
	return &tribes.GameInfoReply{
		HasNumber: true, GameType: tribes.GameTribes, HasGameType: true, Key: x.key, HasKey: true,
		MaxPlayers: 32, HasMaxPlayers: true, Players: uint8(m.rng.IntN(33)), HasPlayers: true,
		GamePacketVersion: 42, HasVersion: true, Name: name[:],
	}
}
