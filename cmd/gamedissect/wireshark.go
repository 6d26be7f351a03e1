package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/wireshark"
)

// wiresharkOptions say what Wireshark is to show.
type wiresharkOptions struct {
	input   inputOptions
	reading readingOptions
	tshark  bool
	passed  []string // to Wireshark

	install, uninstall bool
}

// newWireshark makes the command that opens a capture in Wireshark.
func newWireshark(std streams) *cobra.Command {
	var o wiresharkOptions
	c := &cobra.Command{
		Use:   "wireshark [--tshark] FILE [ARGUMENT...]",
		Short: "open a capture in Wireshark or tshark, dissected",
		Long: `wireshark opens a capture in Wireshark, or has tshark read it: with the messages in the tree of packets
and in the columns, findings as expert information, and every name of gamedissect fields for
display filters, columns and statistics. Wireshark's own configuration stays as it is. What
follows the file goes to Wireshark or tshark as it stands; options of this command stand in front.`,
		Example: `  gamedissect wireshark capture.pcap
  gamedissect wireshark capture.pcap -Y 'bzflag24.killed.reason == 3'
  gamedissect wireshark --tshark capture.pcap -T fields -e frame.number -e tribes.servers.ip
  gamedissect wireshark --tshark -d udp.port==7000,tribes capture.pcap -V
  gamedissect wireshark --tshark -r one.pcap -r two.pcap -- -q -z io,stat,10   (what is for tshark stands behind --)
  gamedissect wireshark --install`,
		RunE: func(c *cobra.Command, args []string) error {
			if o.install || o.uninstall {
				if len(args) > 0 || len(o.input.names) > 0 || o.install && o.uninstall {
					return errors.New("--install and --uninstall stand alone")
				}
				return changeFolders(std, o.uninstall)
			}
			if err := o.named(args); err != nil {
				return err
			}
			if err := misplacedAtWireshark(c.Flags(), o.passed); err != nil {
				return err
			}
			return o.run(std)
		},
	}
	f := c.Flags()
	f.SetInterspersed(false)
	o.input.flags(c)
	f.BoolVar(&o.tshark, "tshark", false, "start tshark instead of Wireshark")
	o.reading.flags(c)
	f.BoolVar(&o.install, "install", false, "put a script and interfaces into Wireshark's personal folders, for captures "+
		"that Wireshark opens or takes by itself")
	f.BoolVar(&o.uninstall, "uninstall", false, "take these out again")
	return c
}

// named takes the file that is named, by -r or without it. What follows is for Wireshark.
func (o *wiresharkOptions) named(args []string) error {
	if len(o.input.names) == 0 {
		if len(args) == 0 {
			return errors.New("nothing to show: gamedissect wireshark FILE")
		}
		o.input.names, args = args[:1], args[1:]
	}
	o.passed = args
	return o.input.check()
}

func (o *wiresharkOptions) run(std streams) error {
	program, err := findWireshark(o.tshark)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "gamedissect-wireshark-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // nothing of it is wanted any more
	script := filepath.Join(dir, wireshark.ScriptName)
	if err := os.WriteFile(script, wireshark.Script, 0o600); err != nil {
		return err
	}
	stop := onInterrupt()
	defer stop.release()
	shown := o.input.names[0]
	if !isOneFile(&o.input) {
		shown = filepath.Join(dir, "packets.pcapng")
	}
	dissection := filepath.Join(dir, "dissection")
	whole, trouble := o.dissect(std, stop, shown, dissection)
	if early, ok := errors.AsType[interruptedError](trouble); ok {
		return fmt.Errorf("%s; %s was not started", early.after(), filepath.Base(program))
	}
	if trouble != nil && !whole || stop.flag.Load() {
		return trouble
	}
	if trouble != nil {
		complain(std.err, trouble) // now, since the program may run for long
		trouble = endedError(exitTrouble)
	}
	args := []string{"-X", "lua_script:" + script, "-X", "lua_script1:" + dissection}
	if o.tshark {
		args = append(args, tsharkWants(o.passed)...)
	}
	err = show(std, stop, program, slices.Concat(args, []string{"-r", shown}, o.passed))
	if err != nil && !o.tshark && !hasDisplay() {
		complain(std.err, errors.New("there is no display here: gamedissect wireshark --tshark FILE shows it in the "+
			"terminal, gamedissect view FILE in a browser"))
	}
	return errors.Join(err, trouble)
}

// show runs Wireshark to its end. An interrupt ends it: what it reads does not outlive this program.
func show(std streams, stop *interrupt, program string, args []string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-stop.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	c := exec.CommandContext(ctx, program, args...)
	if runtime.GOOS != "windows" { // where there is but one way
		c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	}
	c.Env = append(os.Environ(), wireshark.NoStub+"=1")
	c.Stdin, c.Stdout, c.Stderr = std.in, std.out, std.err
	return ended(c.Run())
}

// endedError is the exit status of a program that told itself what was wrong.
type endedError int

// Error implements error.
func (e endedError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// ended is how a program ended that was started.
func ended(err error) error {
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case ok:
		return endedError(max(exit.ExitCode(), exitTrouble)) // less than 0: a signal
	case errors.Is(err, context.Canceled): // it took the interrupt for a wish
		return endedError(exitTrouble)
	}
	return err
}

// wiresharkDisplay knows of messages all that Wireshark may be asked for.
func wiresharkDisplay() (*display, error) {
	schema := newSchema()
	display, err := newDisplay(schema, "")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"copy", "time_delta", "response_time"} {
		if _, err := schema.Resolve(name, nil); err != nil {
			return nil, err
		}
	}
	return display, nil
}

// dissect writes the dissection file, and the packets if they are to stand in a file of their own. The dissection file
// may be whole although there was trouble.
func (o *wiresharkOptions) dissect(std streams, stop *interrupt, shown, dissection string) (whole bool, err error) {
	engine, err := o.reading.engine()
	if err != nil {
		return false, err
	}
	display, err := wiresharkDisplay()
	if err != nil {
		return false, err
	}
	err = o.input.withFiles(std.in, stop, func(from *fileSource) error {
		f, err := os.Create(dissection)
		if err != nil {
			return err
		}
		s := &wiresharkSink{to: wireshark.NewWriter(f, engine.Protocols), display: display}
		from.showProgress(std.err, terminal{}, true)
		if shown == o.input.names[0] {
			err = s.run(engine).over(from, stop)
		} else {
			err = s.overNumbered(engine, from, stop, shown)
		}
		closed := f.Close()
		whole = s.whole && closed == nil
		return errors.Join(err, closed)
	})
	return whole, err
}

// wiresharkSink gives what a run finds to Wireshark's dissection file.
type wiresharkSink struct {
	to      *wireshark.Writer
	display *display
	whole   bool // all is written
}

// run makes a run that has this sink.
func (s *wiresharkSink) run(engine decode.Options) *run {
	r := newRun(engine, openGate(s.display))
	r.options.Packet = s.to.Carried
	r.add(s)
	return r
}

// overNumbered runs over packets that are written to a file as well.
func (s *wiresharkSink) overNumbered(engine decode.Options, from *fileSource, stop *interrupt, name string) error {
	to, err := capture.Create(name, capture.WriterOptions{Application: "gamedissect " + version()})
	if err != nil {
		return err
	}
	n := &numbered{fileSource: from, to: to}
	return errors.Join(s.run(engine).over(n, stop), to.Close())
}

func (s *wiresharkSink) packet(p *capture.Packet) {
	f := frameOf(p)
	s.to.Packet(&f)
}

func (s *wiresharkSink) message(m *decode.Message)      { s.to.Message(m, s.display.subject()) }
func (s *wiresharkSink) finding(f *wire.TrafficFinding) { s.to.Finding(f) }

func (s *wiresharkSink) end(decode.Counters) error {
	err := s.to.Close()
	s.whole = err == nil
	return err
}

// numbered is a source whose packets are written to a file, and are numbered as they stand there.
type numbered struct {
	*fileSource
	to    *capture.Writer
	count int
}

// Next implements source. Packets that no file of the format takes are left out. They end where the file does, which
// its Close tells.
func (n *numbered) Next(p *capture.Packet) error {
	for {
		if err := n.fileSource.Next(p); err != nil {
			return err
		}
		err := n.to.Write(p)
		if errors.Is(err, fs.ErrInvalid) {
			continue
		}
		if err != nil {
			return io.EOF
		}
		n.count++
		p.Number, p.File = n.count, ""
		return nil
	}
}

// findWireshark finds the program that shows packets.
func findWireshark(tshark bool) (string, error) {
	name := "wireshark"
	if tshark {
		name = "tshark"
	}
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	folders := map[string][]string{
		"darwin":  {"/Applications/Wireshark.app/Contents/MacOS"},
		"windows": {filepath.Join(os.Getenv("ProgramFiles"), "Wireshark")},
	}
	for _, folder := range folders[runtime.GOOS] {
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not installed, or not in the PATH", name)
}
