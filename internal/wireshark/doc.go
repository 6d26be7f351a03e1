// Package wireshark gives Wireshark and tshark what an engine found, so that their trees, columns, display filters and
// expert information have it.
//
// Two things are given. Script is Lua that Wireshark runs; it knows no protocol. A Writer writes the dissection file of
// a capture: by the number of a frame what stands in it, and behind that the tables that the script registers:
// protocols, fields, rules and ports. A dissection file about no frame has the tables alone.
//
// What may not enter: any protocol, how Wireshark is found and started, and where files stand on a disk.
package wireshark
