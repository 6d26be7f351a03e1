// Package bzflag has what the versions of BZFlag share in bytes and in logic: the header of a message
// and its code, the table from code to message, how a stream is cut, the bodies and values whose bytes
// never changed, the download of a world, and the words of summaries.
//
// What may not enter: anything in which versions differ. Where only a name, a rule or a length does, the
// version states it (Framing, a rule that is passed on). A version's own bodies, rules and tracker stay
// with it.
package bzflag
