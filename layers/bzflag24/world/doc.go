// Package world reads the world databases of BZFlag 2.4, which clients download from their server with MsgGetWorld.
//
// Read reads a download whose parts have been joined. A Map can write itself as a map file, and draw itself as seen
// from above. Programs get both results through wire.Carrier.
//
// Package bzflag24 decodes the messages of downloads and joins the parts.
//
// Other programs may rely on its exported names, see docs/api.md.
package world
