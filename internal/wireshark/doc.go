// Package wireshark shows an engine's results in Wireshark and tshark: in their trees, columns, display filters and
// expert information.
//
// Script is Lua that Wireshark runs; it knows no protocol. A Writer writes the dissection file of a capture: the
// results by frame, and the tables that the script registers: protocols, fields, rules and ports. A dissection file
// without frames has only the tables.
//
// What may not enter: any protocol, how Wireshark is found and started, and the paths of files.
package wireshark
