// Package world reads the world databases of BZFlag 2.4, which clients download from their server
// with MsgGetWorld: Read takes the joined parts of a download. A map is written as the text of a map
// file and drawn from above by what package bzmap offers; other programs get both from wire.Carrier.
//
// Messages and connections, and which client downloads what, belong to package bzflag24.
//
// Other programs may rely on its exported names, see docs/api.md.
package world
