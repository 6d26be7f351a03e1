package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/anonymize"
)

// anonymizeOptions are what the command line of anonymize asks for.
type anonymizeOptions struct {
	input   inputOptions
	reading readingOptions
	write   string
	key     string
	others  bool
}

// newAnonymize makes the command that changes captures so that they can be shared.
func newAnonymize(std streams) *cobra.Command {
	var o anonymizeOptions
	c := &cobra.Command{
		Use:   "anonymize -r FILE -w FILE",
		Short: "write a capture that can be shared, with other names and texts",
		Long: `anonymize writes a capture in which names, chat, passwords, addresses and what is not known are replaced,
and which dissects to the same messages and findings. Lengths, times and ports stay. The same text becomes the same
everywhere, letters become letters, and addresses with a common prefix keep one of that length; loopback,
private and multicast addresses stay so. Checksums that were right are right.

Packets that belong to no message of the games are left out, and those in tunnels and in Wi-Fi frames. The file is
read twice, so standard input cannot be anonymized. Three quarters of what --memory leaves for the traffic hold what
is to be replaced: at 120 that of 140,000 packets with something private in each.

The same --key replaces alike in several captures. Who knows it can find out what was replaced; without it a random
one is used and forgotten. What people tell by the way they play, by the length of their names or by the time is
still there, and so are the worlds that clients downloaded.`,
		Example: `  gamedissect anonymize -r session.pcap -w public.pcapng
  gamedissect anonymize -r session.pcap -w public.pcapng --key "$(cat key)"`,
		Args: o.input.noWords,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.key == "" && c.Flags().Changed("key") {
				return errors.New("--key: it is empty, as of a variable that is not set; without --key a random one is used")
			}
			return o.run(std)
		},
	}
	o.input.flags(c)
	f := c.Flags()
	f.VarP((*fileName)(&o.write), "write", "w", "write the capture to `FILE`: pcap where the name ends so, else pcapng; "+
		"- is standard output")
	f.StringVar(&o.key, "key", "", "replace by this `TEXT`, the same each time; a random one if not given")
	f.BoolVar(&o.others, "keep-others", false, "keep the other packets as well, without their content")
	o.reading.flags(c)
	return c
}

func (o *anonymizeOptions) check() error {
	if err := o.input.check(); err != nil {
		return err
	}
	if o.write == "" {
		return errors.New("nowhere to write: name the new capture with -w FILE")
	}
	if slices.Contains(o.input.names, "-") {
		return errors.New("-r -: a capture is read twice to be anonymized, which standard input cannot; write it to a " +
			"file first")
	}
	return nil
}

func (o *anonymizeOptions) run(std streams) error {
	if err := o.check(); err != nil {
		return err
	}
	engine, err := o.reading.engine()
	if err != nil {
		return err
	}
	outputs := newOutputs(std, o.input.names...)
	to := outputs.file("-w", o.write)
	if err := outputs.open(); err != nil {
		return err
	}
	defer outputs.abandon()
	key := []byte(o.key)
	if o.key == "" {
		key = randomKey()
	}
	stop := onInterrupt()
	defer stop.release()
	memory := o.reading.memory.remembered()
	a := anonymize.New(anonymize.Options{
		Protocols: engine.Protocols, Dialect: engine.Dialect, DecodeAs: engine.DecodeAs, Key: key, KeepOthers: o.others,
		Memory: int(memory / 4), Limit: int(memory / 4 * 3),
	})
	read, trouble, err := learn(a, &o.input, &o.reading.memory, std, stop)
	if err != nil || read == 0 {
		return errors.Join(trouble, err)
	}
	if err := o.rewrite(a, to, std, stop, read); err != nil {
		return errors.Join(trouble, err)
	}
	return errors.Join(trouble, sumUp(a.Report(), std.err, &o.reading.memory))
}

// learn has all packets read once, before they are read again to be changed. trouble and err are those of each.
func learn(a *anonymize.Anonymizer, input *inputOptions, memory *memoryOptions, std streams, stop *interrupt) (
	read int64, trouble, err error) {
	read, trouble, err = input.each(std, stop, func(p *capture.Packet) error {
		f := frameOf(p)
		return a.Learn(&f)
	})
	if err == nil {
		err = a.Learned()
	}
	if errors.Is(err, anonymize.ErrMemory) {
		err = fmt.Errorf("%w, or give more than --memory %d", err, memory.megabytes)
	}
	return read, trouble, err
}

// sumUp says what was changed, and gives what is not as it should be.
func sumUp(r anonymize.Report, w io.Writer, memory *memoryOptions) (trouble error) {
	fmt.Fprintf(w, "%s kept, %d left out; %s, %d of them changed\n", counted(r.Packets, "packet"), r.Dropped,
		counted(r.Messages, "message"), r.Changed)
	if r.Foreign > 0 {
		fmt.Fprintf(w, "%s may be read otherwise than before: what is wrong about them cannot be told from what is "+
			"private\n", counted(r.Foreign, "message"))
	}
	if r.Wrapped > 0 {
		trouble = fmt.Errorf("%s of the games left out, since tunnels or Wi-Fi frames are around them",
			counted(r.Wrapped, "packet"))
	}
	if len(r.Forgotten) > 0 {
		const lacks = "what is written may dissect to other messages and findings"
		trouble = errors.Join(trouble, memory.lack(r.Forgotten, lacks))
	}
	return trouble
}

// rewrite reads the packets again and writes them.
func (o *anonymizeOptions) rewrite(
	a *anonymize.Anonymizer, to *outfile, std streams, stop *interrupt, expected int64,
) error {
	w, err := newCaptureWriter(to, o.write, capture.WriterOptions{Application: "gamedissect"})
	if err != nil {
		return err
	}
	read, _, err := o.input.each(std, stop, func(p *capture.Packet) error {
		f := frameOf(p)
		if !a.Rewrite(&f) {
			return nil
		}
		p.Data, p.Comments, p.File = f.Data, nil, "" // comments and names are somebody's words
		return w.Write(p)
	})
	if err == nil && read != expected {
		err = changedMeanwhile(expected, read)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	return to.commit()
}

// randomKey is one that nobody knows.
func randomKey() []byte { return []byte(rand.Text()) }

func changedMeanwhile(before, now int64) error {
	return fmt.Errorf("the input changed while it was read: it had %s, now %d", counted(before, "packet"), now)
}
