package view

import (
	"slices"
	"testing"
)

// TestPathsCount checks that, in both versions of the game, a playback has the shots and deaths that the tables count,
// under the same names. Each must occur once, however many players received it.
func TestPathsCount(t *testing.T) {
	for _, c := range []struct{ file, server string }{
		{"bz24-ctf-capture.pcap", "127.0.0.1:5154"}, {"bz17-c-scorelimit.pcap", "127.0.0.1:5155"},
		{"bz17-var-vlan.pcap", "127.0.0.1:5155"},
	} {
		v := openFile(t, "../../testdata/pcap/"+c.file)
		servers := call[worldsAnswer](t, v, "worlds", "{}").Servers
		if len(servers) != 1 || servers[0].Server != c.server {
			t.Errorf("%s: %+v", c.file, servers)
		}
		a := call[pathsAnswer](t, v, "paths", `{"server": "`+c.server+`", "ms": 10000}`)
		got := map[[2]string]int{}
		for _, s := range a.Shots {
			got[[2]string{s.Who, "shots"}]++
		}
		for _, d := range a.Deaths {
			got[[2]string{d.Who, "deaths"}]++
		}
		want, all := map[[2]string]int{}, 0
		for _, s := range call[measuredAnswer](t, v, "measured", "{}").Series {
			if s.Table == "players" && (s.What == "shots" || s.What == "deaths") {
				want[[2]string{s.Who, s.What}] = int(s.Count)
				all += int(s.Count)
			}
		}
		if all == 0 {
			t.Errorf("%s: nobody shot", c.file)
		}
		for k := range want {
			if got[k] != want[k] {
				t.Errorf("%s: %v: %d, want %d", c.file, k, got[k], want[k])
			}
		}
		for _, p := range a.Players {
			if !slices.Contains([]string{"Red", "Green", "Blue", "Purple", "Rogue", "Observer"}, p.Team) || p.Who == "" {
				t.Errorf("%s: %+v", c.file, p)
			}
		}
		if elsewhere := call[pathsAnswer](t, v, "paths", `{"server": "10.1.1.1:1", "ms": 10000}`); len(elsewhere.Tanks) > 0 {
			t.Errorf("%s: a server that does not exist has moving players", c.file)
		}
	}
}

// TestPathsValues checks that a playback has the values of each update once.
func TestPathsValues(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bz24-ctf-capture.pcap")
	a := call[pathsAnswer](t, v, "paths", `{"from": 20, "to": 20.5, "ms": 10000}`)
	if len(a.Tanks) != 2 || len(a.Shots) != 1 || len(a.Ends) != 1 {
		t.Fatalf("%d tanks, %+v, %+v", len(a.Tanks), a.Shots, a.Ends)
	}
	erin := a.Tanks[0]
	last := len(erin.Times) - 1
	got := []float32{
		erin.X[last], erin.Y[last], erin.Z[last], erin.VX[last], erin.VY[last], erin.VZ[last], erin.Angle[last],
	}
	want := []float32{-32.08, 6.58, 0.48, 17.42, -17.92, 24.5, -0.7996363} // as printed by the program
	if erin.Who != "1 erin" || !slices.Equal(got, want) || erin.Times[last] != 20.290347 || erin.Rows[last] != 715 {
		t.Errorf("%s: %v at %v, row %d", erin.Who, got, erin.Times[last], erin.Rows[last])
	}
	if s, e := a.Shots[0], a.Ends[0]; s.Who != "2 frank" || s.Shot != 256 || s.Lifetime != 6 || s.Row != 700 ||
		e.Who != s.Who || e.Shot != s.Shot || e.Time <= s.Time {
		t.Errorf("%+v, %+v", a.Shots, a.Ends)
	}
	flags := call[pathsAnswer](t, v, "paths", `{"ms": 10000}`).Flags
	if !slices.ContainsFunc(flags, func(f Flag) bool { return f.Status == "OnTank" && f.Who != "" && f.Name != "" }) {
		t.Errorf("nobody carries a flag: %+v", flags)
	}
}
