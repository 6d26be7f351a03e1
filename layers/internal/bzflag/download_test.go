package bzflag

import (
	"bytes"
	"net/netip"
	"runtime"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
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

// TestDownloads processes requests and parts. A number is a request for that offset, and a text is a part from the
// server.
func TestDownloads(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []any
		want  []string // expected result for each part; "-" is nil
	}{
		{"in order", []any{0, "ab", 2, "cd"}, []string{"ab", "abcd"}},
		{"requests ahead", []any{0, 2, 4, "ab", "cd", "ef"}, []string{"ab", "abcd", "abcdef"}},
		{"a part before its request", []any{0, "ab", "cd", 2, 4, "ef"}, []string{"ab", "abcd", "abcdef"}},
		{"restarted after such a part", []any{0, "ab", "cd", 2, 0, "xy"}, []string{"ab", "abcd", "xy"}},
		{"restarted", []any{0, "ab", 0, "cd", 2, "ef"}, []string{"ab", "cd", "cdef"}},
		{"restarted while a part is on its way", []any{0, "ab", 2, 0, "xy", 2, "cd"}, []string{"ab", "xy", "xycd"}},
		{"a part is missing", []any{0, "ab", 4, "ef"}, []string{"ab", "-"}},
		{"a part comes again", []any{0, "ab", 1, "b"}, []string{"ab", "-"}},
		{"an empty world", []any{0, ""}, []string{"-"}},
		{"an empty part", []any{0, "ab", 2, ""}, []string{"ab", "ab"}},
		{"the maximum size", []any{0, "abcdef", 6, "gh"}, []string{"abcdef", "abcdefgh"}},
		{"above the maximum size", []any{0, "abcdef", 6, "ghi"}, []string{"abcdef", "-"}},
		{"a part without a request", []any{"ab"}, []string{"-"}},
	} {
		w := NewDownloads(nil, bounded.Kind{}, 8)
		var given [][]byte
		for _, s := range c.steps {
			if offset, ok := s.(int); ok {
				w.Request(routeOf(1), offset)
			} else {
				given = append(given, w.Receive(routeOf(1), []byte(s.(string))))
			}
		}
		for i, data := range given { // earlier results must not change
			if got := string(data); got != c.want[i] && (data != nil || c.want[i] != "-") {
				t.Errorf("%s: part %d returns %q, want %q", c.name, i, got, c.want[i])
			}
		}
	}
}

func TestDownloadsEnd(t *testing.T) {
	for name, end := range map[string]func(*Downloads, Route){
		"forgotten":          (*Downloads).Forget,
		"lost by the client": func(w *Downloads, r Route) { w.Lost(r.Client, r.Server) },
		"lost by the server": func(w *Downloads, r Route) { w.Lost(r.Server, r.Client) },
	} {
		w := NewDownloads(nil, bounded.Kind{}, 8)
		w.Request(routeOf(0), 0)
		end(w, routeOf(0))
		if data := w.Receive(routeOf(0), []byte("ab")); data != nil {
			t.Errorf("%s: %q", name, data)
		}
	}
}

// TestDownloadsFinish checks that Finish keeps a download while a part is on its way, and drops it afterwards.
func TestDownloadsFinish(t *testing.T) {
	w := NewDownloads(nil, bounded.Kind{}, 8)
	w.Request(routeOf(0), 0)
	w.Finish(routeOf(0))
	if data := w.Receive(routeOf(0), []byte("ab")); string(data) != "ab" {
		t.Errorf("the part after Finish returns %q", data)
	}
	w.Finish(routeOf(0))
	if n := w.byRoute.Len(); n != 0 {
		t.Errorf("%d downloads are kept", n)
	}
}

func TestDownloadsAreBounded(t *testing.T) {
	w := NewDownloads(nil, bounded.Kind{}, 1<<20)
	w.Request(routeOf(0), 0)
	for range 2 * maxRequests {
		w.Request(routeOf(0), 0)
	}
	if n := len(w.byRoute.Get(routeOf(0)).requested); n != maxRequests {
		t.Errorf("%d requests are waiting for answers, want %d", n, maxRequests)
	}
	for range 3 * maxRequests {
		w.Receive(routeOf(0), []byte("ab"))
	}
	if n := w.byRoute.Get(routeOf(0)).unrequested; n != maxRequests {
		t.Errorf("%d parts are waiting for their requests, want %d", n, maxRequests)
	}
}

// TestDownloadsMakeRoom begins more downloads than fit in the memory. The newest can continue, and the oldest cannot.
func TestDownloadsMakeRoom(t *testing.T) {
	const size, clients = 10_000, 500
	memory := bounded.NewBudget(1 << 20)
	before := wiretest.Heap()
	w := NewDownloads(memory, bounded.Kind{}, 1<<20)
	part := bytes.Repeat([]byte("x"), size)
	for i := range uint16(clients) {
		memory.Turn()
		w.Request(routeOf(i), 0)
		w.Receive(routeOf(i), part)
	}
	memory.Turn()
	if held, used := wiretest.Heap()-before, int64(memory.Used()); used > 1<<20 || used < held/2 || used > 2*held {
		t.Errorf("%d bytes are in use, but the budget counts %d", held, used)
	}
	for i := range uint16(clients) {
		w.Request(routeOf(i), size)
		if whole := len(w.Receive(routeOf(i), part)) == 2*size; whole != (i >= clients/2) && (i < 10 || i > clients-10) {
			t.Errorf("client %d: the download is complete: %t", i, whole)
		}
	}
	runtime.KeepAlive(w)
}
