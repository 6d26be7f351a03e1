package message

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
)

// A RawWriter writes the bytes that one side of a conversation sent.
type RawWriter struct {
	Conversation Conversation
	FromServer   bool // the server's side
	File         *outfile.File

	seen   bool
	first  wire.ConversationID // first conversation seen
	failed error
}

// Seen reports whether the conversation is in the capture.
func (w *RawWriter) Seen() bool { return w.seen }

// Sink returns the sink that writes.
func (w *RawWriter) Sink() session.Sink { return session.Sink{Raw: w.raw, End: w.end} }

func (w *RawWriter) raw(p wire.Place, way wire.Direction, b []byte) {
	if !w.Conversation.Contains(&p) || w.failed != nil {
		return
	}
	id := p.ConversationID()
	switch {
	case !w.seen:
		w.seen, w.first = true, id
		_, w.failed = w.File.Begin()
	case id != w.first:
		w.failed = fmt.Errorf("--raw writes one conversation, but %s and %s both belong to %s: follow one of them",
			appendConversation(nil, w.first), appendConversation(nil, id), w.Conversation)
	}
	if w.failed == nil && (way == wire.FromServer) == w.FromServer {
		_, w.failed = w.File.Write(b)
	}
}

// end publishes the file if the conversation was seen.
func (w *RawWriter) end(decode.Counters) error {
	if w.failed != nil || !w.seen {
		return w.failed
	}
	return w.File.Commit()
}
