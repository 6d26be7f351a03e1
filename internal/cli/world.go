package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/layers"
)

// worldOptions say where worlds are written.
type worldOptions struct {
	input  session.InputOptions
	memory session.MemoryOptions
	dir    string
}

// newWorld makes the command that writes the worlds of a capture.
func newWorld(std term.Streams) *cobra.Command {
	var o worldOptions
	c := &cobra.Command{
		Use:   "world -r FILE [-o DIR]",
		Short: "write the worlds that BZFlag clients got, as maps and pictures",
		Long: `world finds the world databases that clients of BZFlag 1.07 and 2.4 downloaded. Each one is
written once, as a map file (.bzw) that a server of today loads (bzfs -world), and as a picture
seen from above (.svg). Files are named by the server and by what is in them.`,
		Example: `  gamedissect world -r capture.pcap
  gamedissect world -r capture.pcap -o maps`,
		Args: o.input.OptionsOnly,
		RunE: func(*cobra.Command, []string) error { return o.run(std) },
	}
	o.input.Flags(c)
	o.memory.Flags(c)
	c.Flags().StringVarP(&o.dir, "output", "o", ".", "write to the folder `DIR`, which is made if need be")
	option.Must(c.MarkFlagDirname("output"))
	return c
}

func (o *worldOptions) run(std term.Streams) error {
	if err := errors.Join(o.input.Check(), o.memory.Apply()); err != nil {
		return err
	}
	if err := outfile.MakeFolder(o.dir); err != nil {
		return err
	}
	screen, err := term.NewTerminal(std.Out, "never")
	if err != nil {
		return err
	}
	stop := session.OnInterrupt()
	defer stop.Release()
	w := worldWriter{outputs: outfile.NewOutputs(std, o.input.Names...), dir: o.dir, seen: make(map[string]bool)}
	w.table.Columns = []report.Column{{Name: "file", Kind: report.File, Whole: true}, {Name: "server", Kind: report.Word},
		{Name: "frame", Kind: report.Number}, {Name: "map", Kind: report.Figures}, {Name: "picture", Kind: report.Figures}}
	err = o.input.WithFiles(std.In, stop, func(from *session.FileSource) error {
		from.ShowProgress(std.Err, screen, true)
		r := session.NewRun(decode.Options{Protocols: known.Protocols(), Memory: o.memory.Engine()}, session.NewSelection(new(session.Display)))
		r.Count, r.Forgotten = o.input.Count, o.memory.Notice(std.Err)
		r.Add(&w)
		return r.Over(from, stop)
	})
	err = errors.Join(err, w.trouble)
	out := term.NewOutput(std.Out, 0)
	out.Buf = table.AppendText(out.Buf, &w.table, screen.Width)
	if err == nil && len(w.table.Rows) == 0 {
		err = errors.New("no world was found: the capture has to hold all of its download (MsgGetWorld)")
	}
	return errors.Join(err, out.Flush())
}

// worldWriter writes the worlds that come by.
type worldWriter struct {
	outputs *outfile.Outputs
	dir     string
	seen    map[string]bool // those written, by the sums of their texts
	table   report.Table
	trouble error
}

func (w *worldWriter) Finding(*wire.TrafficFinding) {}

func (w *worldWriter) Message(m *decode.Message) {
	world, bad := layers.WorldOf(m.Layer)
	if world != nil {
		w.trouble = errors.Join(w.trouble, w.world(m, world, bad))
	}
	if bad != nil {
		w.trouble = errors.Join(w.trouble, fmt.Errorf("the world in frame %d: %w", m.Frame, bad))
	}
}

func (w *worldWriter) world(m *decode.Message, world *layers.World, bad error) error {
	comments := []string{"A world of " + m.Protocol.Title + ", read from captured traffic by gamedissect."}
	if bad != nil {
		comments = append(comments, "Beware: "+bad.Error())
	}
	text, whole := world.MapFile(comments...)
	sum := sha256.Sum256(text)
	if w.seen[string(sum[:])] {
		return nil
	}
	w.seen[string(sum[:])] = true
	if !whole {
		w.trouble = errors.Join(w.trouble, fmt.Errorf("the world in frame %d: its map file is cut off behind %s", m.Frame,
			report.Plural(int64(len(text)), "byte")))
	}
	server := strings.NewReplacer(":", "_", "[", "", "]", "").Replace(m.Src.String())
	name := server + "-" + hex.EncodeToString(sum[:4])
	picture := world.SVG(m.Protocol.Title + " " + m.Src.String())
	path := filepath.Join(w.dir, name)
	err := errors.Join(w.outputs.PutInFolder("-o", path+".bzw", text, 0), w.outputs.PutInFolder("-o", path+".svg", picture, 0))
	if err != nil {
		return err
	}
	w.table.Rows = append(w.table.Rows, []report.Cell{path + ".bzw .svg", m.Src.String(), int64(m.Frame),
		report.Plural(int64(len(text)), "byte"), report.Plural(int64(len(picture)), "byte")})
	return nil
}
