// Package world reads the world databases of BZFlag 2.4, which clients download from their server with MsgGetWorld.
//
// Read reads a download whose parts have been joined. A Map can write itself as a map file, and draw itself as seen
// from above, by means of package bzmap. Other programs get both results from wire.Carrier.
//
// Package bzflag24 decodes the messages, and records which client downloads which database.
//
// Other programs may rely on its exported names, see docs/api.md.
package world
