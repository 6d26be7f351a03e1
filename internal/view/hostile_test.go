package view

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/layers"
)

// hostile are captures that are made to hurt: those of the tests, and of a folder that the environment names.
func hostile(t testing.TB) []string {
	names := captures(t, "odd/*", "pcap/*malformed*", "pcap/*violations*", "pcap/*cutfile*", "pcap/*noise*")
	if dir := os.Getenv("GAMEDISSECT_HOSTILE"); dir != "" {
		more, err := filepath.Glob(filepath.Join(dir, "*.pcap*"))
		if err != nil || len(more) == 0 {
			t.Fatal(err, len(more))
		}
		names = append(names, more...)
	}
	return names
}

// askAll asks whatever can be asked of a capture. Each answer has to be JSON of a bounded size.
func askAll(t testing.TB, v *View) {
	t.Helper()
	for _, q := range requests {
		call[map[string]any](t, v, q[0], q[1])
	}
	for n := 0; n < v.Rows(); n += 1 + v.Rows()/200 {
		request := []byte(`{"all": true, "row": ` + string(appendInt(nil, n)) + `}`)
		if b := v.Call("detail", request); len(b) > 32<<20 {
			t.Errorf("the answer has %d bytes", len(b))
		}
	}
}

func appendInt(b []byte, n int) []byte {
	if n >= 10 {
		b = appendInt(b, n/10)
	}
	return append(b, byte('0'+n%10))
}

func TestHostile(t *testing.T) {
	for _, name := range hostile(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			v := openFile(t, name)
			askAll(t, v)
			if most := v.options.Index * 5 / 4; v.memory() > most {
				t.Errorf("%d bytes are kept, at most %d", v.memory(), most)
			}
		})
	}
}

// Captures that are broken anywhere are served as far as they can be read.
func TestMutants(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 60
	}
	names := captures(t, "pcap/bz24-*", "pcap/tribes-v*", "pcap/iceball-*", "pcap/bz17-c*", "pcap/bloodmasters-*")
	random := rand.New(rand.NewPCG(1, 18))
	for range rounds {
		data, err := os.ReadFile(names[random.IntN(len(names))])
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + random.IntN(20) {
			data[24+random.IntN(len(data)-24)] = byte(random.Uint32())
		}
		v, err := Open(bytes.NewReader(data), int64(len(data)), "mutant", Options{Protocols: layers.All(), Index: 1 << 20})
		if err != nil {
			continue
		}
		for v.Step(16<<10, time.Millisecond) {
			call[rowsAnswer](t, v, "rows", `{"filter": "finding", "from": 3}`)
		}
		askAll(t, v)
	}
}

// An index that is full says so, and what it has stays.
func TestIndexFull(t *testing.T) {
	data, err := os.ReadFile("../../testdata/pcap/bz24-ctf-capture.pcap")
	if err != nil {
		t.Fatal(err)
	}
	const room = 4 << 10
	v, err := Open(bytes.NewReader(data), int64(len(data)), "full", Options{Protocols: layers.All(), Index: room})
	if err != nil {
		t.Fatal(err)
	}
	for v.Step(1<<20, time.Second) {
	}
	s := v.State()
	left := strconv.FormatInt(s.Messages-int64(s.Rows), 10) + " messages"
	if s.Rows == 0 || s.Rows > room/8 || s.Messages != 2525 || !strings.HasPrefix(s.LeftOut, left) {
		t.Errorf("%+v", s)
	}
	askAll(t, v)
}

// What becomes of a file while it is shown is an error at most.
func TestFileChanges(t *testing.T) {
	data, err := os.ReadFile("../../testdata/pcap/bz24-ctf-capture.pcap")
	if err != nil {
		t.Fatal(err)
	}
	v := open(t, data, "changes")
	for _, fill := range []byte{0, 0xff, 'M'} {
		for i := range data {
			data[i] = fill
		}
		v.window.buf = nil
		for n := range v.Rows() {
			v.Call("detail", []byte(`{"row": `+string(appendInt(nil, n))+`}`))
		}
	}
	v.window.buf, v.window.r = nil, bytes.NewReader(nil)
	if b := string(v.Call("rows", nil)); !strings.HasPrefix(b, `{"error":{"text":"the file cannot be read any more`) {
		t.Errorf("%s", b)
	}
}

// FuzzCall asks anything of a capture.
func FuzzCall(f *testing.F) {
	for _, q := range requests {
		f.Add(q[0], []byte(q[1]))
	}
	f.Add("detail", []byte(`{"row": 17, "all": true}`))
	f.Add("world", []byte(`{"world": 0}`))
	f.Add("plot", []byte(`{"field": "bzflag24.position", "by": "bzflag24.player", "points": -1}`))
	v := openFile(f, "../../testdata/pcap/bz24-ctf-players.pcap")
	f.Fuzz(func(t *testing.T, op string, request []byte) {
		if b := v.Call(op, request); len(b) == 0 || b[0] != '{' {
			t.Errorf("%s", b)
		}
	})
}
