// Package view answers requests about an open capture: its messages, findings, numbers and worlds, a piece at a time.
// It does not know how the caller shows them.
//
//	v, err := view.Open(file, size, "lag.pcapng", view.Options{Protocols: layers.All()})
//	for v.Step(4<<20, 30*time.Millisecond) {
//		... // rows are served in between
//	}
//	answer := v.Call("rows", []byte(`{"from": 0, "count": 50}`))
//
// OpenAll opens several files as one capture: their packets come by time, and frames are numbered through all of them.
//
// A View keeps no decoded message. It keeps what decoding one again takes: the message's bytes, its context, and what
// the session put into the layer before, see wire.Keeper. Equal ones it keeps once. That makes some 70 bytes a message.
//
// # Calls
//
// Call takes the name of an operation and a JSON object, and returns a JSON object. The fields of the types fooRequest
// and fooAnswer list the keys of an operation foo. All keys of a request are optional unless stated otherwise; unknown
// keys are an error. An error is an answer as well:
//
//	{"error": {"text": "no such field: bzflag24.kiled", "offset": 0, "size": 14, "meant": ["bzflag24.killed"],
//	 "mended": ["bzflag24.killed"]}}
//
// Errors in filters have offset and size (bytes of the filter's text in UTF-8), meant, and mended: for each text in
// meant the whole corrected filter, "" if it does not compile.
//
// Times are seconds since the first packet; "start" of the state says when that was. Offsets and sizes are bytes. Texts
// come from the traffic and may be hostile: show them as text. Control characters are escaped as \x1b; a text that is
// not UTF-8 is read as Latin-1.
//
// Long work continues from call to call: the caller repeats a request until the answer says "done": true. Each call
// works for about "ms" milliseconds (default 30; 0 does the minimum). While the capture is being read, "done": true
// means that the work reached the last row read so far; the same request later continues from there.
//
// # Operations
//
// A row is a message, or a finding that no message carries. Its number never changes: links contain it. The filter of
// a request selects rows, as far as it was applied; without one all match.
//
//   - state reports how far reading got; step reads on.
//   - rows lists rows, at most 1000: from a place in the list, around a row, or only the rows that are named.
//   - next finds the nearest row with findings after a row, or before it.
//   - detail decodes one row: its bytes, its findings, and the tree of its fields. Lists are cut after 64 elements.
//   - filter counts the rows that match. A View keeps the results of the four filters used last.
//   - complete proposes what may stand at an offset of a filter's text: names of fields that begin with the word there,
//     then names that contain it, and after a comparison the values of an enumeration. The chosen proposal replaces
//     text[from:to]. fields lists all names.
//   - findings lists the broken rules, the worst first, with who broke them.
//   - sequence makes the lines of a diagram: arrows between ends, runs of equal arrows, silences. It joins the clients
//     of servers, or the ports of hosts, and hides ends; "all" names every one. There are at most 200 ends, all others
//     are "other ends". While a capture is read, lines are added or get longer.
//   - timeline lists the events that -z timeline prints, and the lives of players and servers. A filter selects the
//     events of the messages that match; it does not select lives.
//   - rates counts messages in equal intervals: the eight most frequent series, and "others". Round intervals are 1, 2
//     or 5 times a power of ten seconds long and begin at multiples of that.
//   - measured lists what trackers measured. plot returns the points of such a series, or of any field; a vector has a
//     line for each component. Of too many points it returns the minimum and the maximum of each interval.
//   - stats returns the tables that -z prints; a cell is a text, a number, or null if unknown. A matrix counts how
//     often each player of a server did something to each other; its sums are over all players.
//   - summary returns what the program prints first about a capture.
//   - worlds lists the worlds that clients downloaded, equal ones once, and the servers on which players move, by the
//     ports on which they answer hellos. world draws one: its picture has the game's x, y at x, -y.
//   - paths lists where tanks were and what they shot, for a playback over the world. Until an answer is done, its
//     "next" is the "start" of the next request. What several players received is listed once.
//   - compare says what is worse than in good captures, as gamedissect diff does, once all of them are read. AddGood
//     opens a good capture, CallOf calls the operations of it.
//   - others lists the packets of no game that match a filter, and their kinds, once all is read.
//   - secrets reports whether a message has a password or a token.
//   - export returns a piece of a pcapng file with the packets that carry matching rows. Of a TCP connection it also
//     has the first packets and those of the two messages before, which a reader needs to recognise the stream. A note
//     is a comment of the packet in which its message ended. With "anonymize" it replaces names, texts and addresses,
//     and leaves out notes and packets of no game. The next request has the answer's "next" and the same other keys; 0
//     starts again.
package view
