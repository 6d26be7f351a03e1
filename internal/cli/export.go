package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/archive"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

const exportLong = `export writes what is found in captures as tables that DuckDB, Spark, pandas and others read:
Parquet files in a folder, one for each kind of message, PROTOCOL/MESSAGE.parquet, and three more:

  findings.parquet        where the protocol is broken, a row each
  values.parquet          what was measured, such as lags, and what happened, such as kills
  conversations.parquet   who talked to whom, from when to when, how much

A message is a row: the packet (file, frame, time), who said it to whom (src, src_port, dst, dst_port, server,
direction, community_id), whom it is about as far as names are known (players), its length, whether a server told it
somebody else before (copy), and its fields as one structure, shaped like those of -T json: fields.reason beside
fields.reason_name, vectors as x, y, z, lists as lists. What each message names itself is JSON in a text. The columns
do not depend on the capture, so tables of many days can be read as one.

With --partition day each day has a folder, in UTC. A day that comes again after two others, as those of a second
sensor may, has another one within it; DIR/**/values.parquet is all of them.

The tables are put into the folder when all are whole. A folder that has tables already is refused, unless
--overwrite has them replaced. An interrupt keeps what was read until then, as a file that is cut off does.`

const exportExample = `  gamedissect export -r session.pcap -o tables
  duckdb -c "SELECT fields.reason_name, count(*) FROM 'tables/bzflag24/MsgKilled.parquet' WHERE NOT copy GROUP BY 1"
  gamedissect export -r 'archive/*.pcap.zst' -o tables --partition day
  duckdb -c "SELECT day, count(*) FROM 'tables/**/values.parquet' WHERE what = 'join' GROUP BY 1"
  gamedissect export -r session.pcap -o tables -Y 'tribes or iceball' --mask-secrets
  gamedissect export -r session.pcap -o tables --once          each event once`

// newExport makes the command that writes tables.
func newExport(std term.Streams) *cobra.Command {
	var o archive.Options
	c := &cobra.Command{
		Use:     "export -r FILE -o DIR",
		Short:   "write messages, findings and what was measured as tables (Parquet)",
		Long:    exportLong,
		Example: exportExample,
		Args:    o.Input.OptionsOnly,
		RunE:    func(*cobra.Command, []string) error { return o.Run(std) },
	}
	o.Input.Flags(c)
	o.Decode.Reading.Memory.Megabytes = archive.ExportMemory
	o.Decode.Flags(c)
	f := c.Flags()
	f.StringVarP(&o.Dir, "output", "o", "", "write to the folder `DIR`, which is made if need be")
	f.StringVar(&o.Partition, "partition", "none", "make a folder for each `PART`: day (in UTC, day=2026-11-23), or none")
	f.BoolVar(&o.Overwrite, "overwrite", false, "replace the tables that are in the folder, or in that of the day")
	option.CompleteWith(c, "partition", archive.Partitions...)
	option.Must(c.MarkFlagDirname("output"))
	return c
}
