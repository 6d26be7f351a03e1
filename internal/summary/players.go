package summary

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// A Player is a player or an observer.
type Player struct {
	Protocol string         `json:"protocol"`
	Server   netip.AddrPort `json:"server"`
	Name     string         `json:"name"`
	Address  string         `json:"address,omitempty"`
	Team     string         `json:"team,omitempty"`
	Observer bool           `json:"observer,omitempty"` // only watches
	Score    string         `json:"score,omitempty"`
	Version  string         `json:"version,omitempty"` // version of the client
	Played   int64          `json:"played_seconds"`
	Lag      *Times         `json:"lag,omitempty"` // nil if not measured
	Jitter   *Times         `json:"jitter,omitempty"`
	Pings    int64          `json:"pings,omitempty"` // number of pings, echoed or lost
	Lost     int64          `json:"lost_pings,omitempty"`
	Removed  string         `json:"removed,omitempty"`
	Findings int64          `json:"findings,omitempty"` // warnings and errors about what the player sent
}

// observers is the team of players who only watch.
const observers = "Observer"

// players lists the players. Those that need attention come first: it sorts by findings, then removal, worst lag, and
// time played.
func players(from *Source) []Player {
	list := []Player{}
	findings, owners := make(map[netip.AddrPort]int64), from.Players()
	for who, b := range from.Stats.Senders {
		if b.Severity >= wire.Warning {
			findings[who.At] += b.Count
		}
	}
	for _, p := range from.Protocols {
		counted := from.Stats.Protocols[p.Name]
		if counted == nil {
			continue
		}
		for _, who := range sorted(counted.Tables[tablePlayers]) {
			row := counted.Tables[tablePlayers][who]
			player := Player{Protocol: p.Name, Server: who.Server, Name: who.Who, Address: row.Text("address"),
				Team: row.Text("team"), Score: row.Text("score"), Version: row.Text("version"),
				Played: row.Total("played"), Removed: row.Text("removed"), Observer: row.Text("team") == observers,
				Pings: row.Total("pings"), Lost: row.Total("lost pings")}
			for _, at := range addresses(row) {
				if owners[at] == who.Who { // a client with several names counts once
					player.Findings += findings[at]
					delete(findings, at)
				}
			}
			if h := numbers(row, "lag"); h != nil {
				player.Lag = timesOf(h, who.Who)
			}
			if h := numbers(row, "jitter"); h != nil {
				player.Jitter = timesOf(h, who.Who)
			}
			list = append(list, player)
		}
	}
	slices.SortStableFunc(list, func(a, b Player) int {
		return cmp.Or(cmp.Compare(b.Findings, a.Findings), trueFirst(a.Removed != "", b.Removed != ""),
			cmp.Compare(b.Lag.worst(), a.Lag.worst()), cmp.Compare(b.Played, a.Played))
	})
	return list
}

// addresses returns all addresses that a player had.
func addresses(row *stats.Row) (list []netip.AddrPort) {
	if x := row.Find("address"); x != nil {
		for _, state := range x.States() {
			if at, err := netip.ParseAddrPort(state.Text.String()); err == nil {
				list = append(list, at)
			}
		}
	}
	return list
}

// Times summarizes how long answers took.
type Times struct {
	Count  int64   `json:"count"`
	Median float64 `json:"median_seconds"`
	Worst  float64 `json:"worst_seconds"`
	Whose  string  `json:"worst_whose"`
}

func (t *Times) worst() float64 {
	if t == nil {
		return -1
	}
	return t.Worst
}

func seconds(ns int64) float64 { return time.Duration(ns).Seconds() }
