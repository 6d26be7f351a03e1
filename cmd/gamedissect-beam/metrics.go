package main

import "github.com/apache/beam/sdks/v2/go/pkg/beam"

// Counters that a runner shows while the job runs. They include repeated work, so the report may show lower counts.
var (
	filesScanned     = beam.NewCounter("gamedissect", "files_scanned")
	packetsScanned   = beam.NewCounter("gamedissect", "packets_scanned")
	shardsDissected  = beam.NewCounter("gamedissect", "shards_dissected")
	packetsDissected = beam.NewCounter("gamedissect", "packets_dissected")
	messagesFound    = beam.NewCounter("gamedissect", "messages_found")
	shardsForgetting = beam.NewCounter("gamedissect", "shards_that_forgot")
)
