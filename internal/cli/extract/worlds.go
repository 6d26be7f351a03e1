// Package extract implements the export, samples and world commands. It reads captures and writes three kinds of files:
// messages, findings and values as tables; messages as .hex files for the tests of protocols; and worlds as map files
// and pictures.
package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// WorldOptions are the options of the world command.
type WorldOptions struct {
	Input  session.InputOptions
	Memory session.MemoryOptions
	Dir    string
}

// Run writes the worlds and lists the files.
func (o *WorldOptions) Run(std term.Streams) error {
	if err := errors.Join(o.Input.Check(), o.Memory.Apply()); err != nil {
		return err
	}
	if err := outfile.MakeFolder(o.Dir); err != nil {
		return err
	}
	screen, err := term.NewTerminal(std.Out, "never")
	if err != nil {
		return err
	}
	stop := session.OnInterrupt()
	defer stop.Release()
	w := worldWriter{outputs: outfile.NewOutputs(std, o.Input.Names...), dir: o.Dir, seen: make(map[string]bool)}
	w.table.Columns = []report.Column{{Name: "file", Kind: report.File, Whole: true}, {Name: "server", Kind: report.Word},
		{Name: "frame", Kind: report.Number}, {Name: "map", Kind: report.Figures}, {Name: "picture", Kind: report.Figures}}
	err = o.Input.WithFiles(std.In, stop, func(from *session.FileSource) error {
		from.ShowProgress(std.Err, screen, true)
		engine := decode.Options{Protocols: option.Protocols(), Memory: o.Memory.Engine()}
		r := session.NewRun(engine, session.Selection{})
		r.Count, r.Forgotten = o.Input.Count, o.Memory.Notice(std.Err)
		r.Add(session.Sink{Message: w.message})
		return r.Over(from, stop)
	})
	err = errors.Join(err, w.trouble)
	out := term.NewOutput(std.Out, 0)
	out.Buf = term.AppendTable(out.Buf, &w.table, screen.Width)
	if err == nil && len(w.table.Rows) == 0 {
		const text = "no world was found: the capture must contain its whole download (MsgGetWorld)"
		err = errors.New(text + w.elsewhere("; the"))
	} else if place := w.elsewhere("a"); place != "" {
		term.Complain(std.Err, errors.New(place))
	}
	return errors.Join(err, out.Flush())
}

type worldWriter struct {
	outputs *outfile.Outputs
	dir     string
	seen    map[string]bool // hashes of the map files already written
	table   report.Table
	trouble error
	urls    []string // distinct URLs that servers sent
}

const maxURLs = 8

// elsewhere returns a sentence with the URLs from which clients get worlds, or "". The sentence begins with the
// article.
func (w *worldWriter) elsewhere(article string) string {
	if len(w.urls) == 0 {
		return ""
	}
	return article + " server sends clients to " + strings.Join(w.urls, ", ") + " (MsgCacheURL)"
}

// locate records the URL from which clients get the world, if the message has one.
func (w *worldWriter) locate(m *decode.Message) {
	at, ok := m.Layer.(wire.Locator)
	if !ok || len(w.urls) >= maxURLs {
		return
	}
	if url := at.WorldURL(); url != "" {
		if url = strings.Trim(strconv.Quote(url), `"`); !slices.Contains(w.urls, url) {
			w.urls = append(w.urls, url)
		}
	}
}

func (w *worldWriter) message(m *decode.Message) {
	w.locate(m)
	carrier, ok := m.Layer.(wire.Carrier)
	if !ok {
		return
	}
	world, bad := carrier.Carried()
	if world != nil {
		w.trouble = errors.Join(w.trouble, w.write(m, world, bad))
	}
	if bad != nil {
		w.trouble = errors.Join(w.trouble, fmt.Errorf("the world in frame %d: %w", m.Frame, bad))
	}
}

// write writes the files of a world, unless an equal world has been written.
func (w *worldWriter) write(m *decode.Message, world wire.World, bad error) error {
	comments := []string{"A world of " + m.Protocol.Title + ", read from captured traffic by gamedissect."}
	if bad != nil {
		comments = append(comments, "Beware: "+bad.Error())
	}
	text, complete := world.MapFile(comments...)
	sum := sha256.Sum256(text)
	if w.seen[string(sum[:])] {
		return nil
	}
	w.seen[string(sum[:])] = true
	if !complete {
		w.trouble = errors.Join(w.trouble, fmt.Errorf("the world in frame %d: its map file is cut off after %s", m.Frame,
			report.Plural(int64(len(text)), "byte")))
	}
	server := strings.NewReplacer(":", "_", "[", "", "]", "").Replace(m.Src.String())
	name := server + "-" + hex.EncodeToString(sum[:4])
	picture := world.SVG(m.Protocol.Title + " " + m.Src.String())
	path := filepath.Join(w.dir, name)
	err := errors.Join(w.outputs.PutInFolder("-o", path+".bzw", text, 0), w.outputs.PutInFolder("-o", path+".svg",
		picture, 0))
	if err != nil {
		return err
	}
	w.table.Rows = append(w.table.Rows, []report.Cell{path + ".bzw .svg", m.Src.String(), int64(m.Frame),
		report.Plural(int64(len(text)), "byte"), report.Plural(int64(len(picture)), "byte")})
	return nil
}
