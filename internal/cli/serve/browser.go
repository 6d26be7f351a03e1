package serve

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// openAnywhere opens a capture for random access, and returns its size.
func openAnywhere(name string) (*os.File, int64, error) {
	info, err := os.Stat(name)
	if name == "-" || err == nil && !info.Mode().IsRegular() && !info.IsDir() { // opening a pipe would block
		return nil, 0, &capture.Error{File: name, Reason: "the page reads its file in any order, and this input can be " +
			"read only once: write it to a file first (gamedissect -r " + name + " -q -w FILE)"}
	}
	c, err := capture.Open(name) // returns the error if the file cannot be read
	if err != nil {
		return nil, 0, err
	}
	_ = c.Close() // harmless: the file was only read
	file, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	if info, err = file.Stat(); err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// openBrowser asks the system to open an address in a browser. If that fails, it asks the user to open the address that
// the command has printed.
func openBrowser(warn io.Writer, address string) {
	program := []string{"xdg-open"}
	var err error
	switch runtime.GOOS {
	case "darwin":
		program = []string{"open"}
	case "windows":
		program = []string{"rundll32", "url.dll,FileProtocolHandler"}
	default:
		if !term.HasDisplay() {
			err = errors.New("there is no display here")
		}
	}
	if err == nil {
		err = launch(append(program, address))
	}
	if err != nil {
		fmt.Fprintf(warn, "gamedissect: no browser was opened (%s): open the address above in a browser\n", err)
	}
}

// launch starts a program and does not wait until it ends.
func launch(command []string) error {
	c := exec.Command(command[0], command[1:]...)
	c.SysProcAttr = session.OwnProcessGroup() // Ctrl-C here must not end the browser
	if err := c.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("%s is not installed", command[0])
		}
		return err
	}
	go c.Wait() //nolint:errcheck // exit status of the browser is irrelevant
	return nil
}
