// Package world reads the world databases of BZFlag 2.4. Clients download them from their server with MsgGetWorld, and
// Read takes the joined parts of a download. A map can be written as the text of a map file, and drawn from above, with
// package bzmap. Other programs get both through wire.Carrier.
//
// Messages and connections belong in package bzflag24, and so does the question which client downloads which world.
//
// Other programs may rely on its exported names, see docs/api.md.
package world
