package main

import "github.com/apache/beam/sdks/v2/go/pkg/beam"

// Counters that a runner shows on its pages while the job runs. Work that is repeated counts again, so that the report
// may tell less.
var (
	filesScanned     = beam.NewCounter("gamedissect", "files_scanned")
	packetsScanned   = beam.NewCounter("gamedissect", "packets_scanned")
	shardsDissected  = beam.NewCounter("gamedissect", "shards_dissected")
	packetsDissected = beam.NewCounter("gamedissect", "packets_dissected")
	messagesFound    = beam.NewCounter("gamedissect", "messages_found")
	shardsForgetting = beam.NewCounter("gamedissect", "shards_that_forgot")
)
