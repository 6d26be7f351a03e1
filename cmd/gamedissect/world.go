package main

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
	"github.com/gamedissect/gamedissect/layers"
)

// worldOptions say where worlds are written.
type worldOptions struct {
	input  inputOptions
	memory memoryOptions
	dir    string
}

// newWorld makes the command that writes the worlds of a capture.
func newWorld(std streams) *cobra.Command {
	var o worldOptions
	c := &cobra.Command{
		Use:   "world -r FILE [-o DIR]",
		Short: "write the worlds that BZFlag clients got, as maps and pictures",
		Long: `world finds the world databases that clients of BZFlag 1.07 and 2.4 downloaded. Each one is
written once, as a map file (.bzw) that a server of today loads (bzfs -world), and as a picture
seen from above (.svg). Files are named by the server and by what is in them.`,
		Example: `  gamedissect world -r capture.pcap
  gamedissect world -r capture.pcap -o maps`,
		Args: o.input.noWords,
		RunE: func(*cobra.Command, []string) error { return o.run(std) },
	}
	o.input.flags(c)
	o.memory.flags(c)
	c.Flags().StringVarP(&o.dir, "output", "o", ".", "write to the folder `DIR`, which is made if need be")
	must(c.MarkFlagDirname("output"))
	return c
}

func (o *worldOptions) run(std streams) error {
	if err := errors.Join(o.input.check(), o.memory.apply()); err != nil {
		return err
	}
	if err := makeFolder(o.dir); err != nil {
		return err
	}
	screen, err := newTerminal(std.out, "never")
	if err != nil {
		return err
	}
	stop := onInterrupt()
	defer stop.release()
	w := worldWriter{outputs: newOutputs(std, o.input.names...), dir: o.dir, seen: make(map[string]bool)}
	w.table = table{columns: append([]column{{name: "file", whole: true}, {name: "server"}},
		numberColumns("frame", "map", "picture")...)}
	err = o.input.withFiles(std.in, stop, func(from *fileSource) error {
		from.showProgress(std.err, screen, true)
		r := newRun(decode.Options{Protocols: layers.All(), Memory: o.memory.engine()}, openGate(new(display)))
		r.count, r.forgotten = o.input.count, o.memory.notice(std.err)
		r.add(&w)
		return r.over(from, stop)
	})
	err = errors.Join(err, w.trouble)
	out := newOutput(std.out, 0)
	out.buf = w.table.appendText(out.buf, screen.width)
	if err == nil && len(w.table.rows) == 0 {
		err = errors.New("no world was found: the capture has to hold all of its download (MsgGetWorld)")
	}
	return errors.Join(err, out.flush())
}

// worldWriter writes the worlds that come by.
type worldWriter struct {
	outputs *outputs
	dir     string
	seen    map[string]bool // those written, by the sums of their texts
	table   table
	trouble error
}

func (w *worldWriter) finding(*wire.TrafficFinding) {}

func (w *worldWriter) message(m *decode.Message) {
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
			counted(int64(len(text)), "byte")))
	}
	server := strings.NewReplacer(":", "_", "[", "", "]", "").Replace(m.Src.String())
	name := server + "-" + hex.EncodeToString(sum[:4])
	picture := world.SVG(m.Protocol.Title + " " + m.Src.String())
	path := filepath.Join(w.dir, name)
	err := errors.Join(w.outputs.putInFolder(path+".bzw", text), w.outputs.putInFolder(path+".svg", picture))
	if err != nil {
		return err
	}
	frame := cell{text: fmt.Sprint(m.Frame)}
	w.table.rows = append(w.table.rows, []cell{plainCell(path + ".bzw .svg"), stringCell(m.Src), frame,
		wordCell(counted(int64(len(text)), "byte")), wordCell(counted(int64(len(picture)), "byte"))})
	return nil
}
