// Package listing follows game servers on their way into the lists of masters: which step each has reached, and why it
// got no further.
//
// What steps look like on the wire is the protocol's. A tracker passes them to a Book, and the Book reports what the
// table "listing" shows and what happened when.
package listing
