// Package world reads the world databases of BZFlag 2.4. Clients download a world database from their server with
// MsgGetWorld. Read reads a download after its parts are joined. A Map can write itself as a map file and draw itself
// from above, with package bzmap. Other programs get both results through wire.Carrier.
//
// Messages and connections belong to package bzflag24, which also records which client downloads which database.
//
// Other programs may rely on its exported names, see docs/api.md.
package world
