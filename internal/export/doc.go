// Package export writes an engine's results as tables in Parquet: one for each type of message, and one each of
// findings, values and conversations.
//
// The columns of a message follow from the fields that its Walk lists, so they are the same whatever a capture holds,
// and files of many days can be read as one table. They are shaped like the JSON of gamedissect -T json.
//
// What may not enter: any protocol, and where files stand and how they are named on a disk.
package export
