package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/extract"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

const exportLong = `export writes messages and findings as tables that DuckDB, Spark, pandas and others read. It
writes a folder of Parquet files: one for each kind of message (PROTOCOL/MESSAGE.parquet), and four more:

  findings.parquet        findings, one in each row
  values.parquet          measurements, such as lags, and events, such as kills
  conversations.parquet   endpoints, times and packet counts of conversations
  attempts.parquet        finished attempts, for example to join a game:
                          outcome, cause, who asked whom, steps

Each row for a message has its packet (file, frame, time), its endpoints (src, src_port, dst, dst_port, server,
direction, community_id), the known names of the players that it is about (players), its length, whether the server
had already sent the same message to another client (copy), and its fields as a structure like that of -T json:
fields.reason and fields.reason_name, vectors as x, y, z, lists as lists. Fields whose names come from the message
itself are JSON texts. The columns do not depend on the capture, so tables of many days can be read as one.

With --partition day, each day (in UTC) has a folder. If packets of an earlier day come again after two other days,
for example from a second sensor, that day gets another folder inside its folder; DIR/**/values.parquet matches all
of them.

The tables appear in the folder when all are complete. If the folder already has tables, export refuses it unless
--overwrite replaces them. After an interrupt, or if a file is cut off, the tables contain what
was read until then.`

const exportExample = `  gamedissect export -r session.pcap -o tables
  duckdb -c "SELECT fields.reason_name, count(*) FROM 'tables/bzflag24/MsgKilled.parquet' WHERE NOT copy GROUP BY 1"
  gamedissect export -r 'archive/*.pcap.zst' -o tables --partition day
  duckdb -c "SELECT day, count(*) FROM 'tables/**/values.parquet' WHERE what = 'join' GROUP BY 1"
  gamedissect export -r session.pcap -o tables -Y 'tribes or iceball' --mask-secrets
  gamedissect export -r session.pcap -o tables --once          each event once`

func newExport(std term.Streams) *cobra.Command {
	var o extract.TableOptions
	c := &cobra.Command{
		Use:     "export -r FILE -o DIR",
		Short:   "write messages, findings and measurements as tables (Parquet)",
		Long:    exportLong,
		Example: exportExample,
		Args:    o.Input.OptionsOnly,
		RunE:    func(*cobra.Command, []string) error { return o.Run(std) },
	}
	o.Input.Flags(c)
	o.Decode.Reading.Memory.Megabytes = extract.TableMemory
	o.Decode.Flags(c)
	f := c.Flags()
	f.StringVarP(&o.Dir, "output", "o", "", "write to the folder `DIR`, which is created if it does not exist")
	f.StringVar(&o.Partition, "partition", "none", "make a folder for each `PART`: day (in UTC, day=2026-11-23), or none")
	f.BoolVar(&o.Overwrite, "overwrite", false, "replace existing tables in the folder, or in the folder of the day")
	option.CompleteWith(c, "partition", extract.Partitions...)
	option.Must(c.MarkFlagDirname("output"))
	return c
}
