package expect

import (
	"bytes"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// RecordOptions determine how a Recorder turns a capture into expectations.
type RecordOptions struct {
	Per    string // kind of groups, see Units; "": conversation
	Exact  bool   // compare every field except times, keys, addresses and the like
	All    bool   // include messages that may come at any time
	Loose  bool   // only some groups must do what was recorded
	Filter string // filter that selected the messages; "": none
}

// Units lists the values of RecordOptions.Per.
func Units() []string { return []string{perConversation, perClient, perServer, perCapture} }

// A Recorder records the messages of a capture, and writes expectations that the capture fulfils.
type Recorder struct {
	options RecordOptions
	groups  map[sessionKey]*recording
	ordered []*recording
	broken  map[*wire.Protocol]map[*wire.Rule]bool // rules of the findings; nil: without a protocol
	stored  int
	owners  map[*wire.Protocol]map[string]wire.Direction
	files   map[string]bool // files read so far; each file is a session

	attempts map[string]*sessionTally // attempts of each file
}

// A sessionKey identifies a group across all sessions. Each file is a session.
type sessionKey struct {
	groupKey
	file string
}

type recording struct {
	protocol   *wire.Protocol
	file       string // file of the first message
	begins     firstMessage
	connection bool // some messages came over TCP
	anytime    bool // some messages may come at any time
	messages   []recordedMessage
	truncated  bool                      // the group had more messages than were recorded
	skipped    map[string]int            // number of messages that may come at any time, by name
	owner      map[string]wire.Direction // by field: which side saves its value; shared by all recordings
}

type recordedMessage struct {
	kind      *wire.MessageType
	direction wire.Direction
	code      string // set if the protocol does not define this type of message
	frame     int
	time      int64
	values    []recordedValue
}

type recordedValue struct {
	path  string
	usage usage
	value filter.Value
}

// A usage says how an expectation uses a field.
type usage uint8

const (
	unused    usage = iota
	comesBack       // the other side may repeat the value
	constant        // always the same value
	both            // always the same value, unless the other side sent the value before
)

// Limits of recordings.
const (
	maxMessages   = 2000    // messages in one group
	maxStored     = 200_000 // messages in total
	maxRecordings = 20_000
)

// NewRecorder makes a recorder.
func NewRecorder(o RecordOptions) *Recorder {
	if o.Per == "" {
		o.Per = perConversation
	}
	return &Recorder{options: o, groups: make(map[sessionKey]*recording),
		broken: make(map[*wire.Protocol]map[*wire.Rule]bool), owners: make(map[*wire.Protocol]map[string]wire.Direction),
		files: make(map[string]bool), attempts: make(map[string]*sessionTally)}
}

// Message records a message.
func (r *Recorder) Message(x *filter.Subject) {
	for i := range x.Message.Findings {
		r.finding(x.Place.Protocol, x.Message.Findings[i].Rule)
	}
	t := r.recording(x)
	if t == nil || t.protocol != x.Place.Protocol {
		return // there are too many groups, or the group is of another protocol
	}
	kind := x.Message.Layer.Core().Message
	if kind.Recurs == wire.Anytime && !r.options.All {
		t.skipped[kind.Name]++
		return
	}
	if len(t.messages) >= maxMessages || r.stored >= maxStored {
		t.truncated = true
		return
	}
	r.stored++
	t.anytime = t.anytime || kind.Recurs == wire.Anytime
	t.connection = t.connection || x.Place.Transport == wire.TCP
	s := recordedMessage{kind: kind, direction: x.Message.Direction, frame: x.Place.Frame, time: x.Place.Time}
	if n := x.Message.Tree().Find("code"); n != nil && kind.Code == "" && x.Message.Code != "" {
		s.code = literalOf(&filter.Value{Kind: n.Kind, Num: n.Num, Symbols: n.Symbols, Bytes: n.Bytes})
	}
	s.values = r.values(x, kind)
	t.messages = append(t.messages, s)
}

// recording returns the recording of a message's group. It returns nil if there are too many groups.
func (r *Recorder) recording(x *filter.Subject) *recording {
	key := sessionKey{keyOf(r.options.Per, x), x.Place.File}
	t := r.groups[key]
	if t == nil {
		if len(r.groups) >= maxRecordings {
			return nil
		}
		p := x.Place.Protocol
		if r.owners[p] == nil {
			r.owners[p] = make(map[string]wire.Direction)
		}
		r.files[x.Place.File] = true
		t = &recording{protocol: p, file: x.Place.File, begins: firstMessageOf(x),
			skipped: make(map[string]int), owner: r.owners[p]}
		r.groups[key] = t
		r.ordered = append(r.ordered, t)
	}
	return t
}

// Finding records a finding that belongs to no message.
func (r *Recorder) Finding(x *filter.Subject) { r.finding(x.Place.Protocol, x.Finding.Rule) }

func (r *Recorder) finding(p *wire.Protocol, rule *wire.Rule) {
	if r.broken[p] == nil {
		r.broken[p] = make(map[*wire.Rule]bool)
	}
	r.broken[p][rule] = true
}

// values records those fields of a message that an expectation uses. It does not record fields in lists.
func (r *Recorder) values(x *filter.Subject, kind *wire.MessageType) []recordedValue {
	var list []recordedValue
	eachField(x.Message.Tree(), func(n *wire.Node, path string) {
		role, _ := x.Place.Protocol.Roles.Of(kind.Name, path)
		if u := r.usage(n, role, x.Message.Direction, kind); u != unused {
			v := filter.Value{Kind: n.Kind, Num: n.Num, Symbols: n.Symbols, Bytes: n.Bytes}
			list = append(list, recordedValue{path, u, v.Clone()})
		}
	})
	return list
}

// eachField calls f for each field of a message, with the field's path. It omits lists and computed fields.
func eachField(tree *wire.Tree, f func(n *wire.Node, path string)) {
	var path []string
	for i := int32(0); i < int32(len(tree.Nodes)); i++ {
		n := &tree.Nodes[i]
		path = append(path[:min(int(n.Depth), len(path))], n.Name)
		if n.Kind == wire.Sequence || n.Computed {
			i = n.Next - 1
			continue
		}
		f(n, strings.Join(path, "."))
	}
}

// usage returns how an expectation uses a field, depending on the field's kind and role.
func (r *Recorder) usage(n *wire.Node, role wire.Role, way wire.Direction, kind *wire.MessageType) usage {
	if role == wire.Structural || kind.Recurs == wire.Anytime && !r.options.Exact {
		return unused // a message that may come at any time is not an answer
	}
	passing := role == wire.Passing
	switch n.Kind {
	case wire.Enum, wire.SignedEnum:
		if len(n.Bytes) > 0 || n.Symbols.Name(int64(n.Num)) == "" {
			return comesBack // the field identifies a player, or has an unknown meaning
		}
		if kind.Recurs == wire.InParts {
			return unused
		}
		if way == wire.ToServer && !r.options.Exact {
			return comesBack // clients choose what they request
		}
		return both
	case wire.Boolean:
		if way != wire.ToServer || r.options.Exact {
			return constant
		}
		return unused
	case wire.String:
		if len(bytes.TrimSpace(n.Bytes)) < 2 {
			return unused
		}
		if r.options.Exact && !passing {
			return both
		}
		return comesBack
	case wire.Bytes:
		if len(n.Bytes) < 2 || len(n.Bytes) > 32 || len(bytes.TrimSpace(n.Bytes)) == 0 {
			return unused
		}
		return comesBack
	case wire.Address:
		return comesBack
	case wire.Uint, wire.Int, wire.Bits:
		if passing {
			return comesBack
		}
		if r.options.Exact && kind.Recurs == wire.InOrder {
			return both
		}
	}
	return unused
}

func literalOf(v *filter.Value) string {
	if v.Kind == wire.String {
		return filter.Quote(v.Bytes)
	}
	return v.String()
}

type firstMessage struct {
	kind      *wire.MessageType
	direction wire.Direction
	fields    []string // field paths
}

func firstMessageOf(x *filter.Subject) firstMessage {
	b := firstMessage{kind: x.Message.Layer.Core().Message, direction: x.Message.Direction}
	eachField(x.Message.Tree(), func(n *wire.Node, path string) {
		if !n.Composite() {
			b.fields = append(b.fields, path)
		}
	})
	return b
}
