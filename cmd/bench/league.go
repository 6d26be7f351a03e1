package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"time"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// A league is many servers of BZFlag 1.07 at once. Unlike those of playBZFlag, the connections of a game all tell
// the same of it, so what happened there is known.
type league struct {
	*bzflag
	size int // players of a server
}

const restBetweenRounds = explosion + time.Second // so that the dead may come back

// playLeague makes the generator of so many servers with so many players each.
func playLeague(servers, size int) func(*recorder) error {
	return func(r *recorder) error {
		l, err := newLeague(r, servers, size)
		if err != nil {
			return err
		}
		l.join()
		for l.err == nil && !l.recorder.full() {
			l.round(nil)
		}
		l.end()
		return l.err
	}
}

func newLeague(r *recorder, servers, size int) (*league, error) {
	const seed, obstacles = 3, 2
	r.pace = 20 * time.Microsecond
	b := &bzflag{
		network: newNetwork(r, rand.New(rand.NewPCG(seed, seed))),
		players: make([]player, servers*size), buf: gopacket.NewSerializeBuffer(),
	}
	for i := range b.players {
		at := i / size
		b.players[i] = player{
			name: fmt.Sprintf("Tank %d", i%size), number: i,
			ip:     net.IP{10, byte(3 + i>>16), byte(i >> 8), byte(i)},
			server: net.IP{198, byte(18 + at>>16), byte(at >> 8), byte(at)}, port: playerPorts,
		}
	}
	var err error
	b.world, err = makeWorld(b.rng, obstacles)
	return &league{b, size}, err
}

// game gives the players of a server.
func (l *league) game(at int) []player { return l.players[at*l.size : (at+1)*l.size] }

// everywhere does something at each server, one after the other.
func (l *league) everywhere(do func(at int)) {
	for at := range len(l.players) / l.size {
		do(at)
	}
}

// join has all players come, unless the recorder is full before. At each server one waits for the one before, and
// all servers have theirs at once.
func (l *league) join() {
	for k := 0; k < l.size && !l.recorder.full(); k++ {
		l.everywhere(func(at int) { l.greet(&l.game(at)[k]) })
		l.everywhere(func(at int) { l.reconnect(&l.game(at)[k]) })
		l.everywhere(func(at int) {
			for p := &l.game(at)[k]; p.part < len(l.world); {
				l.download(p)
			}
		})
		l.everywhere(func(at int) { l.enter(l.game(at)[:k+1]) })
		l.recorder.now = l.recorder.now.Add(settling)
	}
}

// enter has the last of some players join the others.
func (l *league) enter(all []player) {
	others, p := all[:len(all)-1], &all[len(all)-1]
	l.tell(&p.game, client, bzflag17.CodeEnter, &bzflag17.Enter{
		Player: p.id, Team: p.team(), CallSign: []byte(p.name), Email: []byte("somebody@example.com"),
	})
	l.send(&p.game, client, true)
	l.tell(&p.game, server, bzflag17.CodeAccept, &bzflag17.Empty{})
	for i := range others {
		o := &others[i]
		l.tell(&p.game, server, bzflag17.CodeAddPlayer, o.introduced(&seen{id: o.id}))
	}
	l.toAll(all, func(q *player) { l.tell(&q.game, server, bzflag17.CodeAddPlayer, p.introduced(&seen{id: p.id})) })
	for i := range others {
		l.tell(&p.game, server, bzflag17.CodeAlive, others[i].tank.spawn(others[i].id))
	}
	l.send(&p.game, server, true)
	l.tell(&p.game, client, bzflag17.CodeNetworkRelay, &bzflag17.Empty{})
	l.send(&p.game, client, true)
	l.tell(&p.game, server, bzflag17.CodeAccept, &bzflag17.Empty{})
	l.live(all, p)
}

// toAll has a server tell all connections of a game something.
func (l *league) toAll(all []player, say func(*player)) {
	for i := range all {
		say(&all[i])
		l.send(&all[i].game, server, true)
	}
}

// live has a player come to life.
func (l *league) live(all []player, p *player) {
	l.tell(&p.game, client, bzflag17.CodeAlive, p.tank.spawn(bzflag17.PlayerID{}))
	l.send(&p.game, client, true)
	l.toAll(all, func(q *player) { l.tell(&q.game, server, bzflag17.CodeAlive, p.tank.spawn(p.id)) })
}

// round has somebody be shot at each server, and come back. told is told of it; it may be nil.
func (l *league) round(told func(killer, victim *player)) {
	killers, victims := make(map[int]*player), make(map[int]*player)
	l.everywhere(func(at int) {
		all := l.game(at)
		k := l.rng.IntN(l.size)
		killers[at], victims[at] = &all[k], &all[(k+1+l.rng.IntN(l.size-1))%l.size]
		l.fire(all, killers[at])
	})
	l.everywhere(func(at int) {
		l.kill(l.game(at), killers[at], victims[at])
		if told != nil {
			told(killers[at], victims[at])
		}
	})
	l.recorder.now = l.recorder.now.Add(restBetweenRounds)
	l.everywhere(func(at int) { l.live(l.game(at), victims[at]) })
}

// fire has a player shoot.
func (l *league) fire(all []player, p *player) {
	p.tank.shot = (p.tank.shot + 0x100) & 0x7fff
	shot := &bzflag17.ShotBegin{
		Shooter: who(p.id), ShotID: p.tank.shot, FlagType: bzflag17.NoFlag,
		Position: p.tank.position(), Velocity: p.tank.ahead(shotSpeed), Lifetime: 3.5,
	}
	l.tell(&p.game, client, bzflag17.CodeShotBegin, shot)
	l.send(&p.game, client, true)
	l.toAll(all, func(q *player) {
		if q != p {
			l.tell(&q.game, server, bzflag17.CodeShotBegin, shot)
		}
	})
}

// kill has a player be hit.
func (l *league) kill(all []player, killer, victim *player) {
	id := int16(killer.tank.shot)
	l.tell(&victim.game, client, bzflag17.CodeKilled, &bzflag17.Killed{Killer: who(killer.id), ShotID: id})
	l.send(&victim.game, client, true)
	l.toAll(all, func(q *player) {
		l.tell(&q.game, server, bzflag17.CodeKilled, &bzflag17.Killed{
			Victim: who(victim.id), Killer: who(killer.id), ShotID: id,
		})
	})
}

// end has all players leave.
func (l *league) end() {
	for i := range l.players {
		l.leave(&l.players[i])
	}
}
