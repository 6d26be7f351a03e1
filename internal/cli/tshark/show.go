// Package tshark opens captures in Wireshark and tshark. It also installs our script and capture interfaces in
// Wireshark, and answers their requests.
package tshark

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

// Options are the options of the wireshark command.
type Options struct {
	Input   session.InputOptions
	Reading session.ReadingOptions
	Tshark  bool
	Passed  []string // further arguments of Wireshark or tshark

	Install, Uninstall bool
}

// SetArgs takes the capture from the arguments, unless -r names it. The remaining arguments are for Wireshark.
func (o *Options) SetArgs(args []string) error {
	if len(o.Input.Names) == 0 {
		if len(args) == 0 {
			return errors.New("nothing to show: gamedissect wireshark FILE")
		}
		o.Input.Names, args = args[:1], args[1:]
	}
	o.Passed = args
	return o.Input.Check()
}

// Run dissects the capture and opens it in Wireshark or tshark.
func (o *Options) Run(std term.Streams) error {
	program, err := findProgram(o.Tshark)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "gamedissect-wireshark-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // error ignored: a temporary folder
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
		term.Complain(std.Err, trouble) // not deferred, since Wireshark may run for long
		trouble = ExitError(term.ExitTrouble)
	}
	args := []string{"-X", "lua_script:" + script, "-X", "lua_script1:" + dissection}
	if o.Tshark {
		args = append(args, scriptArguments(o.Passed)...)
	}
	err = show(std, stop, program, slices.Concat(args, []string{"-r", shown}, o.Passed))
	if err != nil && !o.Tshark && !term.HasDisplay() {
		term.Complain(std.Err, errors.New("there is no display here: gamedissect wireshark --tshark FILE shows it in the "+
			"terminal, gamedissect view FILE in a browser"))
	}
	return errors.Join(err, trouble)
}

// show runs Wireshark until it ends. An interrupt ends Wireshark too, because this program then removes the files that
// Wireshark reads.
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
	if runtime.GOOS != "windows" { // Windows has only Kill
		c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	}
	c.Env = append(os.Environ(), wireshark.NoStub+"=1")
	c.Stdin, c.Stdout, c.Stderr = std.In, std.Out, std.Err
	return ended(c.Run())
}

// ExitError is the exit status of a program that has already reported its error.
type ExitError int

func (e ExitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// ended converts the exit status of a started program to an ExitError.
func ended(err error) error {
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case ok:
		return ExitError(max(exit.ExitCode(), term.ExitTrouble)) // -1 if a signal killed it
	case errors.Is(err, context.Canceled): // an interrupt
		return ExitError(term.ExitTrouble)
	}
	return err
}

// dissect writes the dissection file. shown is the name of the capture that Wireshark will open. If that is not the
// input file, dissect writes the packets to it. whole reports whether the dissection file is complete, which is
// possible even if err is not nil.
func (o *Options) dissect(std term.Streams, stop *session.Interrupt, shown, dissection string) (whole bool, err error) {
	engine, err := o.Reading.Engine()
	if err != nil {
		return false, err
	}
	subjects, err := newSubjects()
	if err != nil {
		return false, err
	}
	err = o.Input.WithFiles(std.In, stop, func(from *session.FileSource) error {
		f, err := os.Create(dissection)
		if err != nil {
			return err
		}
		s := &dissectionSink{to: wireshark.NewWriter(f, engine.Protocols), subjects: subjects}
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
