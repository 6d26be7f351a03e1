// Package bzflag has what all versions of BZFlag share: the message header and its code, the table of messages by code,
// the splitting of streams, the bodies and values whose encoding never changed, the download of a world, and the words
// of summaries.
//
// This package must not contain anything in which versions differ. If only a name, a rule or a length differs, the
// version passes it as a parameter (see Framing). Other bodies and rules, and the tracker, belong in the version's
// package.
package bzflag
