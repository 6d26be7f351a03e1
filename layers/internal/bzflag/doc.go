// Package bzflag contains what all versions of BZFlag share: the message header and the message codes, the table of
// messages by code, the splitting of streams into messages, the message bodies whose encoding has never changed, the
// download of a world, and the wording of summaries and events.
//
// This package must not contain anything that differs between versions. If only a name, a rule or a length differs, the
// package of the version passes it as a parameter (see Framing). Other bodies and rules, and the trackers, belong in
// the packages of the versions.
package bzflag
