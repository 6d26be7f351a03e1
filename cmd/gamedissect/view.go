package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/view"
	"github.com/gamedissect/gamedissect/view/web"
)

// viewOptions say what is shown in the browser.
type viewOptions struct {
	reading readingOptions
	mask    bool
	listen  string
	filter  string
	browser bool
}

// newView makes the command that shows a capture in the browser.
func newView(std streams) *cobra.Command {
	var o viewOptions
	c := &cobra.Command{
		Use:   "view FILE",
		Short: "show a capture in the browser: messages, sequences, time lines, worlds",
		Long: `view opens a page about a capture: its messages with their trees and bytes, a sequence diagram, time
lines of players and servers, findings, statistics that can be plotted, and worlds with the tanks in them. This
program serves the page, to this machine alone and to those who have its address, until it is interrupted.`,
		Example: `  gamedissect view capture.pcap
  gamedissect view capture.pcap -Y 'bzflag24.killed'
  gamedissect view capture.pcap --no-browser --listen 127.0.0.1:8080    through a tunnel: ssh -L 8080:127.0.0.1:8080`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.browser = !c.Flags().Changed("no-browser")
			return o.run(std, args[0])
		},
	}
	o.reading.flags(c)
	f := c.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:0", "serve the page at `ADDRESS` of this machine; port 0 is any that is free")
	f.BoolVar(&o.mask, "mask-secrets", false, "show asterisks for passwords and tokens, among the bytes as well")
	f.StringVarP(&o.filter, "display-filter", "Y", "", "show what the display `FILTER` is true of, to begin with")
	must(c.RegisterFlagCompletionFunc("display-filter", completeNames))
	f.Bool("no-browser", false, "only print the address of the page")
	return c
}

func (o *viewOptions) run(std streams, name string) error {
	engine, err := o.reading.engine()
	if err != nil {
		return err
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &capture.Error{File: name, Reason: "a page needs a file that can be read at any place: write it to one first (-w)"}
	}
	v, err := view.Open(file, info.Size(), name, view.Options{
		Protocols: engine.Protocols, Dialect: engine.Dialect, DecodeAs: engine.DecodeAs, Memory: engine.Memory,
		MaskSecrets: o.mask,
	})
	if err != nil {
		return err
	}
	defer v.Close() //nolint:errcheck // as above
	s, err := newViewServer(v, o.listen, web.Page{Title: filepath.Base(name) + " – gamedissect", Setup: web.Setup{
		Version: version(), Name: filepath.Base(name), MaskSecrets: o.mask, Filter: o.filter,
	}})
	if err != nil {
		return err
	}
	stop := onInterrupt()
	defer stop.release()
	if _, err := fmt.Fprintln(std.out, s.address()); err != nil {
		return errors.Join(err, s.close())
	}
	if o.browser {
		openBrowser(std.err, s.address())
	}
	fmt.Fprintln(std.err, "gamedissect: the page is served until you press Ctrl-C")
	select {
	case <-stop.done:
		return s.close()
	case err := <-s.ended:
		return err
	}
}

// openBrowser has the system show an address. The address is printed in any case.
func openBrowser(warn io.Writer, address string) {
	program := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		program = []string{"open"}
	case "windows":
		program = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	if err := start(append(program, address)); err != nil {
		fmt.Fprintln(warn, "gamedissect: no browser was opened ("+err.Error()+"): open the address above in one")
	}
}
