package decode_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// TestMiddle begins captures in the middle of connections, at a segment boundary or within a segment. All messages must
// be found, except the cut ones and at most two more for each direction. GAMEDISSECT_MIDDLE may be a pattern for the
// names of other captures.
func TestMiddle(t *testing.T) {
	wiretest.WithoutDetector(t)
	var all loss
	names, err := filepath.Glob(cmp.Or(os.Getenv("GAMEDISSECT_MIDDLE"), "../testdata/pcap/*.pcap*"))
	if err != nil {
		t.Fatal(err)
	}
	isOther := func(name string) bool {
		return strings.HasSuffix(name, ".golden") || strings.HasSuffix(name, ".jsonl.gz")
	}
	for turn, name := range slices.DeleteFunc(names, isOther) {
		original := decode.FramesIn(name)
		for i, shape := range shapes {
			switch {
			case strings.Contains(name, "iceball") && shape.name == "on other ports": // unknown HTTP is not recognised on other ports
				continue
			case shape.name == "byte by byte" && len(original) > 3000, i > 0 && i != (turn+1)%len(shapes) && !wiretest.Full():
				continue
			}
			r := record(shape.of(original))
			r.know(listen(original, nil)) // adds messages that the transformed capture lacks
			x := r.cutAll(t)
			if tooMany, wrong := allowed(name, shape.name, x.wanted); x.tooMany > tooMany || x.wrong > wrong {
				t.Errorf("%s, %s: of %d messages, %d are missing, %d more than allowed, and %d are wrong",
					filepath.Base(name), shape.name, x.wanted, x.missing, x.tooMany, x.wrong)
			}
			all.add(x)
		}
	}
	t.Logf("%d wanted, %d missing, %d too many, %d wrong", all.wanted, all.missing, all.tooMany, all.wrong)
	if all.wanted == 0 {
		t.Error("nothing was cut")
	}
}

// allowed returns how many more messages may be missing or wrong in a capture in which few valid messages follow each
// other without a break.
func allowed(name, shape string, wanted int) (tooMany, wrong int) {
	switch {
	case strings.Contains(name, "violations"): // the capture contains invalid messages
		return wanted / 100, 5
	case strings.Contains(shape+name, "96"): // the snap length cuts messages
		return wanted / 50, 0
	case strings.Contains(name, "reorder"): // the first packet in the capture may not be the first that was sent
		return wanted / 500, 0
	}
	return 0, 0
}

// cutAll cuts a recording in several places, and removes different numbers of bytes.
func (r *recording) cutAll(t *testing.T) (all loss) {
	if len(r.whole.messages) == 0 {
		return all
	}
	places, bytes := 2, []int{1, 50}
	if wiretest.Full() {
		places, bytes = 20, []int{0, 1, 7, 50}
	}
	for place := 1; place <= places; place++ {
		few := bytes
		if i := place % len(bytes); wiretest.Full() {
			few = bytes[i : i+1] // there are many places, so one number for each is enough
		}
		for _, n := range few {
			first := place * len(r.frames) / (places + 1)
			x := r.compare(first, n)
			if x.tooMany+x.wrong > 0 && testing.Verbose() {
				t.Logf("frame %d, %d bytes: %+v", first, n, x)
			}
			all.add(x)
		}
	}
	return all
}
