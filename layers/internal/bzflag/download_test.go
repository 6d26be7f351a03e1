package bzflag

import (
	"net/netip"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func routeOf(port uint16) Route {
	return Route{
		Client: netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), port),
		Server: netip.MustParseAddrPort("192.0.2.2:5155"),
	}
}

func TestRouteOf(t *testing.T) {
	r := routeOf(1)
	for way, want := range map[wire.Direction]bool{
		wire.ToServer: true, wire.FromServer: true, wire.Unknown: false, wire.PeerToPeer: false,
	} {
		src, dst := r.Client, r.Server
		if way == wire.FromServer {
			src, dst = dst, src
		}
		if got, ok := RouteOf(way, src, dst); ok != want || ok && got != r {
			t.Errorf("%d: %v, %t", way, got, ok)
		}
	}
}

// TestDownloads has requests, written as their offsets, and parts, written as themselves.
func TestDownloads(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []any
		want  []string // after each part; "-": nothing
	}{
		{"in order", []any{0, "ab", 2, "cd"}, []string{"ab", "abcd"}},
		{"requests ahead", []any{0, 2, 4, "ab", "cd", "ef"}, []string{"ab", "abcd", "abcdef"}},
		{"a part before its request", []any{0, "ab", "cd", 2, 4, "ef"}, []string{"ab", "abcd", "abcdef"}},
		{"begun anew behind such a part", []any{0, "ab", "cd", 2, 0, "xy"}, []string{"ab", "abcd", "xy"}},
		{"begun anew", []any{0, "ab", 0, "cd", 2, "ef"}, []string{"ab", "cd", "cdef"}},
		{"begun anew while a part is on its way", []any{0, "ab", 2, 0, "xy", 2, "cd"}, []string{"ab", "xy", "xycd"}},
		{"a part is missing", []any{0, "ab", 4, "ef"}, []string{"ab", "-"}},
		{"a part comes again", []any{0, "ab", 1, "b"}, []string{"ab", "-"}},
		{"an empty world", []any{0, ""}, []string{"-"}},
		{"an empty part", []any{0, "ab", 2, ""}, []string{"ab", "ab"}},
		{"as much as there may be", []any{0, "abcdef", 6, "gh"}, []string{"abcdef", "abcdefgh"}},
		{"too much", []any{0, "abcdef", 6, "ghi"}, []string{"abcdef", "-"}},
		{"never asked", []any{"ab"}, []string{"-"}},
	} {
		w := &Downloads{Max: 8}
		var given [][]byte
		for _, s := range c.steps {
			if offset, ok := s.(int); ok {
				w.Request(routeOf(1), offset)
			} else {
				given = append(given, w.Receive(routeOf(1), []byte(s.(string))))
			}
		}
		for i, data := range given { // what was given stays as it is
			if got := string(data); got != c.want[i] && (data != nil || c.want[i] != "-") {
				t.Errorf("%s: part %d gives %q, want %q", c.name, i, got, c.want[i])
			}
		}
	}
}

func TestDownloadsEnd(t *testing.T) {
	for name, end := range map[string]func(*Downloads, Route){
		"forgotten":             (*Downloads).Forget,
		"lost by the client":    func(w *Downloads, r Route) { w.Lost(r.Client, r.Server) },
		"lost by the server":    func(w *Downloads, r Route) { w.Lost(r.Server, r.Client) },
		"lost among all others": func(w *Downloads, _ Route) { requestMany(w) },
	} {
		w := &Downloads{Max: 8}
		w.Request(routeOf(0), 0)
		end(w, routeOf(0))
		if data := w.Receive(routeOf(0), []byte("ab")); data != nil {
			t.Errorf("%s: %q", name, data)
		}
	}
}

func requestMany(w *Downloads) {
	for i := range uint16(maxDownloads) {
		w.Request(routeOf(1+i), 0)
	}
}

func TestDownloadsAreBounded(t *testing.T) {
	w := &Downloads{Max: 1 << 20}
	w.Request(routeOf(0), 0)
	for range maxDownloads - 1 {
		w.Request(routeOf(0), 0)
	}
	if n := len(w.byRoute[routeOf(0)].requested); n != maxRequests {
		t.Errorf("%d requests wait for an answer, want %d", n, maxRequests)
	}
	for range 3 * maxRequests {
		w.Receive(routeOf(0), []byte("ab"))
	}
	if n := w.byRoute[routeOf(0)].unrequested; n != maxRequests {
		t.Errorf("%d parts wait for their requests, want %d", n, maxRequests)
	}
	for i := range uint16(maxDownloads - 1) {
		w.Request(routeOf(1+i), 0)
	}
	if n := len(w.byRoute); n != maxDownloads {
		t.Errorf("%d downloads, want %d", n, maxDownloads)
	}
	w.Request(routeOf(1000), 0)
	if n := len(w.byRoute); n != 1 {
		t.Errorf("%d downloads after one too many, want 1", n)
	}
}
