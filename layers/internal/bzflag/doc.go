// Package bzflag has what the versions of BZFlag share on the wire: the header of a message, the
// table from code to message, how a stream is cut, and the values whose bytes never changed.
//
// What may not enter: anything in which versions differ.
package bzflag
