package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/testcapture"
)

// askAll sends every kind of request about a capture. Each answer must be JSON of limited size.
func askAll(t testing.TB, v *View) {
	t.Helper()
	for _, q := range requests {
		if b := v.Call(q[0], []byte(q[1])); !json.Valid(b) || bytes.HasPrefix(b, []byte(`{"error":{`)) {
			t.Errorf("%s %s: %s", q[0], q[1], b)
		}
	}
	for n := 0; n < v.rows.len(); n += 1 + v.rows.len()/200 {
		if b := v.Call("detail", fmt.Appendf(nil, `{"all": true, "row": %d}`, n)); len(b) > 32<<20 {
			t.Errorf("the answer has %d bytes", len(b))
		}
	}
}

// TestMutants checks that a View answers requests about a damaged capture.
func TestMutants(t *testing.T) {
	rounds := 40
	if wiretest.Full() {
		rounds = 400
	}
	names := testcapture.Names(t, "../../testdata/pcap/bz24-*", "../../testdata/pcap/tribes-v*", "../../testdata/pcap/iceball-*", "../../testdata/pcap/bz17-c*", "../../testdata/pcap/bloodmasters-*")
	random := rand.New(rand.NewPCG(1, 18))
	for range rounds {
		data := bytesOf(t, names[random.IntN(len(names))])
		for range 1 + random.IntN(20) {
			data[24+random.IntN(len(data)-24)] = byte(random.Uint32())
		}
		v, err := tryBegin(data, "mutant", Options{Index: 1 << 20})
		if err != nil {
			continue
		}
		for v.Step(16<<10, time.Millisecond) {
			call[rowsAnswer](t, v, "rows", `{"filter": "finding", "from": 3}`)
		}
		askAll(t, v)
	}
}

// TestIndexFull checks that an index that is full keeps its rows and reports that it is full.
func TestIndexFull(t *testing.T) {
	const room = 4 << 10
	v := readAll(begin(t, bytesOf(t, "../../testdata/pcap/bz24-ctf-capture.pcap"), "full", Options{Index: room}))
	s := v.State()
	left := strconv.FormatInt(s.Messages-int64(s.Rows), 10) + " messages"
	if s.Rows == 0 || s.Rows > room/8 || s.Messages != 2525 || !strings.HasPrefix(s.LeftOut, left) {
		t.Errorf("%+v", s)
	}
	askAll(t, v)
}

// TestFileChanges checks that the only consequence of a file that changes while it is shown is an error.
func TestFileChanges(t *testing.T) {
	data := bytesOf(t, "../../testdata/pcap/bz24-ctf-capture.pcap")
	v := open(t, data, "changes")
	for _, fill := range []byte{0, 0xff, 'M'} {
		for i := range data {
			data[i] = fill
		}
		v.rows.window.buf = nil
		for n := range v.rows.len() {
			v.Call("detail", fmt.Appendf(nil, `{"row": %d}`, n))
		}
	}
	v.rows.window.buf, v.rows.window.r = nil, bytes.NewReader(nil)
	if b := string(v.Call("rows", nil)); !strings.HasPrefix(b, `{"error":{"text":"the file cannot be read any more`) {
		t.Errorf("%s", b)
	}
}

// FuzzCall sends arbitrary requests about a capture.
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
