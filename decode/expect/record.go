package expect

import (
	"bytes"
	"strings"

	"github.com/gamedissect/gamedissect/decode/filter"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// RecordOptions say how a capture becomes expectations.
type RecordOptions struct {
	Per   string // what each has to fulfil them by itself; "": conversation
	Exact bool   // compare every field that is no time, key, address or the like
	All   bool   // messages that come at any time as well
}

// Units lists the values of RecordOptions.Per.
func Units() []string { return []string{perConversation, perClient, perServer, perCapture} }

// A Recorder takes the messages of a capture and writes the expectations that it fulfils.
type Recorder struct {
	options RecordOptions
	groups  map[groupKey]*recording
	ordered []*recording
	stored  int
}

// A recording is what was recorded of a group.
type recording struct {
	protocol   *wire.Protocol
	connection bool // some of it over TCP
	anytime    bool // with messages that come at any time
	messages   []recordedMessage
	truncated  bool           // there was more
	skipped    map[string]int // messages that come at any time, by name
}

// A recordedMessage is a message as far as it is recorded.
type recordedMessage struct {
	kind      *wire.MessageType
	direction wire.Direction
	code      string // of a message that the protocol does not define
	frame     int
	time      int64
	values    []recordedValue
}

// A recordedValue is a field of a message.
type recordedValue struct {
	path  string
	usage usage
	value filter.Value
}

// A usage says what a field is good for in an expectation.
type usage uint8

const (
	unused    usage = iota
	comesBack       // the other side may send it back
	constant        // it is the same the next time
	both            // if the other side did not send it, it is the same the next time
)

// Bounds of what is recorded.
const (
	maxMessages   = 2000    // messages of a group
	maxStored     = 200_000 // of all
	maxRecordings = 20_000
)

// NewRecorder makes a recorder.
func NewRecorder(o RecordOptions) *Recorder {
	if o.Per == "" {
		o.Per = perConversation
	}
	return &Recorder{options: o, groups: make(map[groupKey]*recording)}
}

// Message records a message.
func (r *Recorder) Message(x *filter.Subject) {
	key := keyOf(r.options.Per, x)
	t := r.groups[key]
	if t == nil {
		if len(r.groups) >= maxRecordings {
			return
		}
		t = &recording{protocol: x.Place.Protocol, skipped: make(map[string]int)}
		r.groups[key] = t
		r.ordered = append(r.ordered, t)
	}
	if t.protocol != x.Place.Protocol {
		return // an expectation is about one protocol
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

// values takes the fields that are good for something; those of lists are not.
func (r *Recorder) values(x *filter.Subject, kind *wire.MessageType) []recordedValue {
	var list []recordedValue
	tree := x.Message.Tree()
	var path []string
	for i := int32(0); i < int32(len(tree.Nodes)); i++ {
		n := &tree.Nodes[i]
		path = append(path[:min(int(n.Depth), len(path))], n.Name)
		if n.Kind == wire.Sequence || n.Computed {
			i = n.Next - 1
			continue
		}
		role, _ := x.Place.Protocol.Roles.Of(kind.Name, strings.Join(path, "."))
		u := r.usage(n, role, x.Message.Direction, kind)
		if u == unused {
			continue
		}
		v := filter.Value{Kind: n.Kind, Num: n.Num, Symbols: n.Symbols, Bytes: n.Bytes}
		list = append(list, recordedValue{strings.Join(path, "."), u, v.Clone()})
	}
	return list
}

// usage says what a field is good for, by its kind and its role.
func (r *Recorder) usage(n *wire.Node, role wire.Role, way wire.Direction, kind *wire.MessageType) usage {
	if role == wire.Structural || kind.Recurs == wire.Anytime && !r.options.Exact {
		return unused // what comes at any time answers nothing
	}
	passing := role == wire.Passing
	switch n.Kind {
	case wire.Enum, wire.SignedEnum:
		if len(n.Bytes) > 0 || n.Symbols.Name(int64(n.Num)) == "" {
			return comesBack // it stands for somebody, or for nothing known
		}
		if kind.Recurs == wire.InParts {
			return unused
		}
		if way == wire.ToServer && !r.options.Exact {
			return comesBack // what clients ask for is theirs to choose
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
