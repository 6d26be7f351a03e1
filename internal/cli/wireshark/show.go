package wireshark

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/wireshark"
)

// Options say what Wireshark is to show.
type Options struct {
	Input   session.InputOptions
	Reading session.ReadingOptions
	Tshark  bool
	Passed  []string // to Wireshark

	Install, Uninstall bool
}

// Named takes the file that is named, by -r or without it. What follows is for Wireshark.
func (o *Options) Named(args []string) error {
	if len(o.Input.Names) == 0 {
		if len(args) == 0 {
			return errors.New("nothing to show: gamedissect wireshark FILE")
		}
		o.Input.Names, args = args[:1], args[1:]
	}
	o.Passed = args
	return o.Input.Check()
}

func (o *Options) Run(std term.Streams) error {
	program, err := findWireshark(o.Tshark)
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
	stop := session.OnInterrupt()
	defer stop.Release()
	shown := o.Input.Names[0]
	if !session.IsOneFile(&o.Input) {
		shown = filepath.Join(dir, "packets.pcapng")
	}
	dissection := filepath.Join(dir, "dissection")
	whole, trouble := o.dissect(std, stop, shown, dissection)
	if early, ok := errors.AsType[session.InterruptedError](trouble); ok {
		return fmt.Errorf("%s; %s was not started", early.After(), filepath.Base(program))
	}
	if trouble != nil && !whole || stop.Flag.Load() {
		return trouble
	}
	if trouble != nil {
		term.Complain(std.Err, trouble) // now, since the program may run for long
		trouble = EndedError(term.ExitTrouble)
	}
	args := []string{"-X", "lua_script:" + script, "-X", "lua_script1:" + dissection}
	if o.Tshark {
		args = append(args, tsharkWants(o.Passed)...)
	}
	err = show(std, stop, program, slices.Concat(args, []string{"-r", shown}, o.Passed))
	if err != nil && !o.Tshark && !term.HasDisplay() {
		term.Complain(std.Err, errors.New("there is no display here: gamedissect wireshark --tshark FILE shows it in the "+
			"terminal, gamedissect view FILE in a browser"))
	}
	return errors.Join(err, trouble)
}

// show runs Wireshark to its end. An interrupt ends it: what it reads does not outlive this program.
func show(std term.Streams, stop *session.Interrupt, program string, args []string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-stop.Done:
			cancel()
		case <-ctx.Done():
		}
	}()
	c := exec.CommandContext(ctx, program, args...)
	if runtime.GOOS != "windows" { // where there is but one way
		c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	}
	c.Env = append(os.Environ(), wireshark.NoStub+"=1")
	c.Stdin, c.Stdout, c.Stderr = std.In, std.Out, std.Err
	return ended(c.Run())
}

// EndedError is the exit status of a program that told itself what was wrong.
type EndedError int

// Error implements error.
func (e EndedError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// ended is how a program ended that was started.
func ended(err error) error {
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case ok:
		return EndedError(max(exit.ExitCode(), term.ExitTrouble)) // less than 0: a signal
	case errors.Is(err, context.Canceled): // it took the interrupt for a wish
		return EndedError(term.ExitTrouble)
	}
	return err
}

// dissect writes the dissection file, and the packets if they are to stand in a file of their own. The dissection file
// may be whole although there was trouble.
func (o *Options) dissect(std term.Streams, stop *session.Interrupt, shown, dissection string) (whole bool, err error) {
	engine, err := o.Reading.Engine()
	if err != nil {
		return false, err
	}
	display, err := wiresharkDisplay()
	if err != nil {
		return false, err
	}
	err = o.Input.WithFiles(std.In, stop, func(from *session.FileSource) error {
		f, err := os.Create(dissection)
		if err != nil {
			return err
		}
		s := &wiresharkSink{to: wireshark.NewWriter(f, engine.Protocols), display: display}
		from.ShowProgress(std.Err, term.Terminal{}, true)
		if shown == o.Input.Names[0] {
			err = s.run(engine).Over(from, stop)
		} else {
			err = s.overNumbered(engine, from, stop, shown)
		}
		closed := f.Close()
		whole = s.whole && closed == nil
		return errors.Join(err, closed)
	})
	return whole, err
}
