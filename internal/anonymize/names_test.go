package anonymize_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math/rand"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/anonymize"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

// longName is the number of letters and digits that a name needs so that it does not occur by chance.
const longName = 6

// names returns words of the private texts of a capture. They are too long to occur by chance.
func names(list []decode.Frame) (long []string) {
	p := &private{texts: make(map[string]string), addresses: make(map[netip.Addr]bool)}
	dissected(list, p)
	for text, from := range p.texts {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if len(word) >= longName && !strings.HasSuffix(from, "data") && !bytes.Contains(p.public, []byte(word)) {
				long = append(long, word)
			}
		}
	}
	slices.Sort(long)
	return slices.Compact(long)
}

// forms returns the encodings in which a name may occur.
func forms(name string) [][]byte {
	b := []byte(name)
	list := [][]byte{b, []byte(hex.EncodeToString(b)), []byte(strings.ToUpper(hex.EncodeToString(b))), []byte(url.QueryEscape(name))}
	var little, big []byte
	for _, x := range utf16.Encode([]rune(name)) {
		little, big = append(little, byte(x), byte(x>>8)), append(big, byte(x>>8), byte(x))
	}
	list = append(list, little, big)
	for skip := range 3 { // base64 of the name inside other data
		if end := skip + (len(b)-skip)/3*3; end-skip >= longName {
			list = append(list, []byte(base64.RawStdEncoding.EncodeToString(b[skip:end])))
		}
	}
	return list
}

// findNames returns the names that still occur in frames, or across the frames of a stream.
func findNames(list []decode.Frame, names []string) (found []string) {
	streams := make(map[string][]byte)
	for i := range list {
		f := &list[i]
		from, to, payload, _ := content(f)
		streams[from+to] = append(streams[from+to], payload...)
		streams[""] = append(append(streams[""], f.Data...), 0)
	}
	for _, name := range names {
		for _, form := range forms(name) {
			for _, all := range streams {
				if at := bytes.Index(all, form); at >= 0 {
					found = append(found, fmt.Sprintf("%q as %q", name, all[max(0, at-8):min(len(all), at+len(form)+8)]))
				}
			}
		}
	}
	return found
}

// checkNames puts random names into a capture, changes the capture as networks do, and looks for the names in the
// result.
func checkNames(t *testing.T, list []decode.Frame, which int, seed string) {
	t.Helper()
	change := changes[which]
	h := fnv.New64a()
	h.Write([]byte(seed))
	r := rand.New(rand.NewSource(int64(h.Sum64())))
	named, _ := anonymized(t, list, "names "+seed, true)
	if len(named) == 0 {
		return
	}
	wanted := append(names(named), retransmittedName)
	changed := change.do(named, r)
	out, _ := anonymized(t, changed, "key "+seed, true)
	for _, found := range findNames(out, wanted) {
		t.Errorf("%s, %s: the output has %s", seed, change.name, found)
	}
	masked, _ := rewritten(t, changed, anonymize.Options{Protocols: layers.All(), Key: []byte(seed), SecretsOnly: true})
	for _, found := range findNames(masked, []string{retransmittedName}) {
		t.Errorf("%s, %s: with secrets masked, the output has %s", seed, change.name, found)
	}
}

// TestNoName checks that no name remains, whatever a network does to a capture. The full test uses all captures and
// 1,000 keys.
func TestNoName(t *testing.T) {
	files := []string{"bz17-c-joinleave.pcap", "bz24-admin.pcap", "tribes-x-control.pcap", "iceball-real-session.frag.pcap"}
	rounds := 1
	if wiretest.Full() {
		files = nil
		for _, name := range testcapture.Names(t, captures+"*") {
			files = append(files, filepath.Base(name))
		}
		rounds = 1 + 1000/len(files)/len(changes)
	}
	for _, name := range files {
		list := testcapture.Frames(t, captures+name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for round := range rounds {
				for i := range changes {
					checkNames(t, list, i, fmt.Sprint(name, " ", i, " ", round))
				}
			}
		})
	}
}

// TestRetransmissionWithOtherBytes sends different bytes in a retransmission. These bytes are in no message.
func TestRetransmissionWithOtherBytes(t *testing.T) {
	list := testcapture.Frames(t, captures+"bz17-c-joinleave.pcap")
	changed := copied(list, rand.New(rand.NewSource(1)), 1, func(f *decode.Frame) {
		if _, _, payload, _ := content(f); isTCP(f) {
			copy(payload, bytes.Repeat([]byte(retransmittedName), len(payload)))
		}
	})
	if len(findNames(changed, []string{retransmittedName})) == 0 {
		t.Fatal("nothing to find")
	}
	for _, secrets := range []bool{false, true} {
		o := anonymize.Options{Protocols: layers.All(), Key: []byte("k"), SecretsOnly: secrets}
		out, _ := rewritten(t, changed, o)
		if found := findNames(out, []string{retransmittedName}); len(found) > 0 {
			t.Errorf("secrets only: %t: %s", secrets, found)
		}
		if before, after := dissected(changed, nil), dissected(out, nil); !slices.Equal(before, after) {
			t.Errorf("secrets only: %t: %s", secrets, cmp.Diff(before, after))
		}
	}
}

// TestNameReadAsBuild has a wrong count of clients. Because of it, the name Bravo is decoded as the program's build,
// and only Alpha as a name.
func TestNameReadAsBuild(t *testing.T) {
	list := testcapture.Frames(t, captures+"bloodmasters-malformed.pcap")
	if len(findNames(list, []string{"Bravo"})) == 0 {
		t.Fatal("nothing to find")
	}
	out, _ := anonymized(t, list, "k", true)
	if found := findNames(out, []string{"Bravo", "Alpha"}); len(found) > 0 {
		t.Error(found)
	}
}
