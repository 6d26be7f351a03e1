// Package world reads the world databases of BZFlag 2.4, which clients download from their server
// with MsgGetWorld: Read takes the joined parts of a download. A map is written as the text of a map
// file and drawn from above by what package bzmap offers.
//
// What may not enter: messages and connections. Who downloads what, bzflag24 knows.
package world
