package tcp

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestDelivered(t *testing.T) {
	var h delivered
	var place int64
	data := make([]byte, 3*deliveredSize)
	for i := range data {
		data[i] = byte(i * i >> 8)
	}
	position := int64(1) << 32
	for at := 0; at < len(data); {
		n := min(1+at%1777, len(data)-at)
		place = h.add(place, position+int64(at), data[at:at+n])
		h.add(0, 0, data[:n/2]) // bytes of another stream
		at += n
		for _, back := range []int{1, 100, 5000, 200000} {
			if at < back {
				continue
			}
			var d difference
			again := bytes.Clone(data[at-back : at])
			h.compare(place, position+int64(at-back), again, &d)
			if d.bytes != 0 {
				t.Fatalf("at %d: %d bytes differ, want none", at, d.bytes)
			}
			again[back/2] ^= 1
			again[back-1] ^= 1
			h.compare(place, position+int64(at-back), again, &d)
			if back > 1 && (d.bytes != 2 || d.at != position+int64(at-back+back/2)) {
				t.Fatalf("at %d, %d back: %d differ from %d", at, back, d.bytes, d.at-position-int64(at-back))
			}
		}
	}
	var d difference
	h.compare(place, position, make([]byte, deliveredSize), &d)
	if d.bytes > 0 {
		t.Error("finds bytes that were overwritten")
	}
	for i := range 2000 { // many small records end the search
		place = h.add(place, position+int64(len(data)+i), []byte{1})
	}
	h.compare(place, position+int64(len(data)), []byte{2}, &d)
	if d.bytes > 0 {
		t.Error("searches too long")
	}
	h.compare(place, position+int64(len(data))+2000-maxSteps, []byte{2}, &d)
	if d.bytes != 1 {
		t.Error("does not search long enough")
	}
	d = difference{}
	h.compare(place, position+int64(len(data))+2000-maxSteps-1, []byte{2}, &d)
	if d.bytes > 0 {
		t.Error("searches a step too long")
	}
	place = h.add(0, position+int64(len(data)), data)
	h.compare(place, position+int64(len(data)), make([]byte, len(data)-maxRemembered), &d)
	if d.bytes > 0 {
		t.Error("finds more than the end of a long delivery")
	}
	end := bytes.Clone(data[len(data)-maxRemembered:])
	end[0], end[maxRemembered-1] = ^end[0], ^end[maxRemembered-1]
	h.compare(place, position+int64(2*len(data)-maxRemembered), end, &d)
	if d.bytes != 2 || d.at != position+int64(2*len(data)-maxRemembered) {
		t.Errorf("%d bytes at the end of a long delivery differ, want 2", d.bytes)
	}
}

// Overwritten bytes are never read as a record, even if they look like one.
func TestDeliveredOverwrites(t *testing.T) {
	var h delivered
	const position = 0x0101010101010101
	place, at := int64(0), int64(position+1000)
	ones := bytes.Repeat([]byte{1}, 10007)
	for i := range 3 * deliveredSize / len(ones) {
		b := ones[i%7*13:]
		place = h.add(place, at, b)
		at += int64(len(b))
		var d difference
		h.compare(place, position, []byte{0}, &d)
		if d.bytes > 0 {
			t.Fatal("found a difference in bytes that were never stored")
		}
	}
}

// The ring grows to its maximum size. It has the same records as a ring that had this size from the beginning.
func TestDeliveredGrows(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	const most = 4 * deliveredSize
	small, large := delivered{most: most}, delivered{most: most}
	large.start()
	large.ring = make([]byte, most)
	var places [2][50]int64 // places of the streams' last records in each of the two rings
	var at [50]int64
	b := make([]byte, maxRemembered)
	for range 4000 {
		s := r.IntN(len(at))
		for i := range b {
			b[i] = byte(at[s]+int64(i)) ^ byte(s)
		}
		n := 1 + r.IntN(4000)
		places[0][s] = small.add(places[0][s], at[s], b[:n])
		places[1][s] = large.add(places[1][s], at[s], b[:n])
		at[s] += int64(n)
		if places[0][s] != places[1][s] {
			t.Fatal("the two rings have different places")
		}
		s, back := r.IntN(len(at)), int64(r.IntN(100_000))
		if at[s] < back {
			continue
		}
		for i := range b {
			b[i] = byte(at[s]-back+int64(i)) ^ byte(s)
		}
		var d, want difference
		small.compare(places[0][s], at[s]-back, b[:min(back, maxRemembered)], &d)
		if d.bytes > 0 {
			t.Fatalf("%d bytes differ from themselves", d.bytes)
		}
		b[0]++
		small.compare(places[0][s], at[s]-back, b[:min(back, 1)], &d)
		large.compare(places[1][s], at[s]-back, b[:min(back, 1)], &want)
		if d != want {
			t.Fatalf("%+v, want %+v", d, want)
		}
	}
	if len(small.ring) != most {
		t.Errorf("a ring of %d bytes, want %d", len(small.ring), most)
	}
}
