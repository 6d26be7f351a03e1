package anonymize_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/privacy"
	"github.com/gamedissect/gamedissect/internal/anonymize"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

// anonymized returns the anonymized capture.
func anonymized(t testing.TB, list []decode.Frame, key string, others bool) ([]decode.Frame, anonymize.Report) {
	t.Helper()
	return rewritten(t, list, anonymize.Options{Protocols: layers.All(), Key: []byte(key), KeepOthers: others})
}

// rewritten returns the kept frames of an anonymized capture. It does not change list.
func rewritten(t testing.TB, list []decode.Frame, o anonymize.Options) ([]decode.Frame, anonymize.Report) {
	t.Helper()
	a := anonymize.New(o)
	for i := range list {
		if err := a.Learn(&list[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Learned(); err != nil {
		t.Fatal(err)
	}
	var out []decode.Frame
	for _, f := range list {
		if a.Rewrite(&f) {
			f.Data = bytes.Clone(f.Data)
			out = append(out, f)
		}
	}
	return out, a.Report()
}

// private is the private data of a capture: texts and addresses.
type private struct {
	texts     map[string]string // with the places they come from
	addresses map[netip.Addr]bool
	public    []byte // texts that are not private
}

// dissected returns the dissection of a capture as a line for each message and finding.
func dissected(list []decode.Frame, p *private) []string {
	var lines []string
	add := func(place *wire.Place, what string, rest ...any) {
		if strings.HasSuffix(what, ".denied") || strings.HasSuffix(what, ".warned") { // findings about words that are replaced
			return
		}
		lines = append(lines, fmt.Sprintf("%d %s %d %s %v", place.Frame, place.Transport, place.Conversation, what, rest))
	}
	e := decode.New(decode.Options{
		Protocols: layers.All(),
		Message: func(m *decode.Message) {
			add(&m.Place, m.Name, m.Direction, m.Code, m.Length, len(m.Data), m.Src.Port(), m.Dst.Port())
			for _, f := range m.Findings {
				add(&m.Place, f.Rule.ID, f.Off, f.Size)
			}
			if p != nil {
				p.message(m)
			}
		},
		Finding: func(f *wire.TrafficFinding) {
			if f.Rule == decode.RuleForeign { // becomes RuleUnread, because the client's text is overwritten
				add(&f.Place, decode.RuleUnread.ID)
				return
			}
			add(&f.Place, f.Rule.ID)
		},
	})
	for i := range list {
		e.Frame(&list[i])
	}
	e.Close()
	c := e.Counters()
	return append(lines, fmt.Sprintf("%d messages, %d packets ours", c.Messages, c.Recognised))
}

func (p *private) message(m *decode.Message) {
	p.addresses[m.Src.Addr()], p.addresses[m.Dst.Addr()] = true, true
	header := ""
	privacy.EachField(m.Tree(), func(path string, n *wire.Node) {
		how, _ := m.Protocol.Private.Of(m.Name, path, n.Kind)
		switch how {
		case wire.Public, wire.PrivateTarget, wire.PrivateDocument:
			header = strings.ToLower(string(n.Bytes))
			if how == wire.Public {
				p.public = append(append(p.public, m.Data[n.Off:n.Off+n.Size]...), 0)
			}
		case wire.PrivateChat:
			text := string(n.Bytes)
			if strings.HasPrefix(text, "/") { // the word of a command is not replaced
				_, text, _ = strings.Cut(text, " ")
			}
			p.texts[text] = m.Name + "." + path
		case wire.PrivateAddress:
			if a, ok := netip.AddrFromSlice(n.Bytes[:min(4, len(n.Bytes))]); ok {
				p.addresses[a] = true
			}
		case wire.PrivateHeader:
			if strings.HasSuffix(header, "length") || strings.HasSuffix(header, "type") || header == "connection" {
				return
			}
			p.texts[string(n.Bytes)] = m.Name + "." + path
		case wire.PrivateBytes:
			if len(n.Bytes) >= 16 { // shorter texts may occur by chance, or be kept because of their beginning
				p.texts[string(n.Bytes)] = m.Name + "." + path
			}
		default:
			p.texts[string(n.Bytes)] = m.Name + "." + path
		}
	})
	tree := m.Tree()
	for i := range tree.Nodes { // values in JSON
		if n := &tree.Nodes[i]; n.Computed && (n.Name == "name" || n.Name == "address") {
			p.texts[string(n.Bytes)] = m.Name + " JSON " + n.Name
		}
	}
}

// special reports whether an address is never changed, or so common that it occurs by chance.
func special(a netip.Addr) bool {
	b := a.As16()
	return a.IsMulticast() || a.IsUnspecified() || a.IsLoopback() || b[12] == 255 || a.Is4() && (b[12] == 0 || b[13] == 0 && b[14] == 0)
}

func (p *private) search(t *testing.T, list []decode.Frame) {
	t.Helper()
	var all []byte
	for _, f := range list {
		all = append(append(all, f.Data...), 0xff)
	}
	for text, from := range p.texts {
		if bytes.Contains(p.public, []byte(strings.Trim(text, "\x00"))) {
			continue
		}
		if len(text) >= 4 && strings.Trim(text, "./:@ \x00") != "" && bytes.Contains(all, []byte(text)) {
			t.Errorf("the output still has %q of %s", text, from)
		}
	}
	for a := range p.addresses {
		if !special(a) && (bytes.Contains(all, a.AsSlice()) || bytes.Contains(all, []byte(a.String()))) {
			t.Errorf("the output still has the address %s", a)
		}
	}
}

func TestCaptures(t *testing.T) {
	for _, name := range testcapture.Names(t, captures+"*") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			list := testcapture.Frames(t, name)
			p := &private{texts: make(map[string]string), addresses: make(map[netip.Addr]bool)}
			want := dissected(list, p)
			out, report := anonymized(t, list, "a key", true)
			if len(out) != len(list) {
				t.Fatalf("%d of %d packets are left", len(out), len(list))
			}
			if d := cmp.Diff(want, dissected(out, nil)); d != "" {
				t.Errorf("messages and findings differ:\n%.3000s", d)
			}
			if report.Foreign != 0 {
				t.Errorf("%d messages decode differently", report.Foreign)
			}
			p.search(t, out)
		})
	}
}
