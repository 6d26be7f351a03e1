package term

import (
	"io"
	"os"
	"os/exec"
)

// A Pager is a program that shows a text on a terminal, a screen at a time. It starts with the first write, so a
// command that prints nothing starts no pager.
type Pager struct {
	out     *os.File
	command string
	to      io.WriteCloser
	wait    func() error
}

// NewPager makes the pager of $GAMEDISSECT_PAGER, of $PAGER, or less, for a terminal. It returns nil if out is not a
// terminal, or if the user wants no pager: the name is empty or cat.
func NewPager(out io.Writer) *Pager {
	file, ok := out.(*os.File)
	if !ok || !isTerminal(out) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	command, set := os.LookupEnv("GAMEDISSECT_PAGER")
	if !set {
		command, set = os.LookupEnv("PAGER")
	}
	if !set {
		command = "less"
		if _, err := exec.LookPath(command); err != nil {
			return nil
		}
	}
	if command == "" || command == "cat" {
		return nil
	}
	return &Pager{out: file, command: command}
}

// Write writes to the pager, or to the terminal if none can be started.
func (p *Pager) Write(b []byte) (int, error) {
	if p.to == nil && !p.start() {
		p.to = p.out
	}
	return p.to.Write(b)
}

func (p *Pager) start() bool {
	c := exec.Command("sh", "-c", p.command) // it may have arguments
	c.Stdout, c.Stderr = p.out, os.Stderr
	if _, set := os.LookupEnv("LESS"); !set {
		c.Env = append(os.Environ(), "LESS=FRX") // ends if all fits on the screen, shows colours, leaves the text there
	}
	to, err := c.StdinPipe()
	if err != nil || c.Start() != nil {
		return false
	}
	p.to, p.wait = to, c.Wait
	return true
}

// Close waits until the user leaves the pager. It works even if nothing was written.
func (p *Pager) Close() {
	if p.wait != nil {
		_ = p.to.Close()
		_ = p.wait() // the pager's exit status says nothing about the text
	}
}
