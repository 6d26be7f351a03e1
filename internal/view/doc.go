// Package view answers requests about an open capture: its messages, findings, measurements and worlds. Each answer is
// limited in size. The package does not know how the caller shows the answers.
//
//	v, err := view.Open(file, size, "lag.pcapng", view.Options{Protocols: layers.All()})
//	for v.Step(4<<20, 30*time.Millisecond) {
//		... // rows are served in between
//	}
//	answer := v.Call("rows", []byte(`{"from": 0, "count": 50}`))
//
// OpenAll opens several files as one capture. It merges their packets by time and numbers the frames in that order.
//
// A View does not store decoded messages. It stores what is needed to decode a message again: where its bytes are, its
// wire.Context, and the values that the protocol's session put into the layer before decoding (see wire.Keeper). Equal
// contexts and values are stored once. A message takes about 70 bytes.
//
// # Calls
//
// Call takes the name of an operation and a JSON object, and returns a JSON object. The fields of the types fooRequest
// and fooAnswer list the keys of an operation foo. All keys of a request are optional unless stated otherwise; unknown
// keys are an error. Errors are also answers:
//
//	{"error": {"text": "there is no field \"bzflag24.kiled\"", "offset": 0, "size": 14, "meant": ["bzflag24.killed"],
//	 "mended": ["bzflag24.killed"]}}
//
// Errors in filters have four further keys: offset and size are bytes of the filter's text in UTF-8; meant contains
// proposals; and mended contains, for each proposal, the whole corrected filter, or "" if that does not compile.
//
// Times are seconds since the first packet; the key "start" in the answer of state is the time of that packet. Offsets
// and sizes are in bytes. Texts come from the traffic and may be hostile: show them as text, not as HTML. Control
// characters are escaped, for example as \x1b; a text that is not valid UTF-8 is read as Latin-1.
//
// Long work takes several calls: the caller repeats a request until the answer contains "done": true. Each call works
// for about "ms" milliseconds (default 30; 0 does the minimum). While the capture is being read, "done": true means
// that the work has reached the last row read so far. The same request continues from there later.
//
// # Operations
//
// A row is a message, or a finding that does not belong to a message. The number of a row never changes, so links may
// contain it. The filter of a request selects rows among those examined so far; without a filter, all rows match. An
// end is an address with a port.
//
//   - state reports the progress of reading; step reads more of the capture.
//   - rows lists at most 1000 rows: from a position in the list, around a row, or only those that the request names.
//   - next finds the nearest row with findings after or before a row.
//   - detail returns one row: its bytes, its findings, and the tree of its fields. Lists are cut after 64 elements.
//   - filter counts the rows that match. A View keeps the results of the four filters used last.
//   - complete proposes texts for an offset in a filter: names of fields that begin with the word at this offset,
//     then names that contain the word, and, after a comparison operator, the values of an enumeration. The proposal
//     that the user chooses replaces text[from:to]. fields lists all names of fields.
//   - findings lists the broken rules, the most severe first, and the programs that broke them.
//   - sequence makes the lines of a diagram: arrows between ends, runs of equal arrows, silences. On request, it joins
//     the clients of servers or the ports of hosts, and hides ends; "all" stands for every server, host or end. If
//     there are more than 200 ends, the rest are joined as "other ends". While a capture is being read, lines are added
//     and runs get longer.
//   - timeline lists the events that -z timeline prints, and the lives of players and servers: the times during which
//     they existed. A filter selects the events of the messages that match; it does not select lives.
//   - rates counts messages in equal intervals: the eight most frequent series, and "others". Round intervals are 1, 2
//     or 5 times a power of ten seconds long, and begin at multiples of their length.
//   - measured lists the measurements of trackers. plot returns the points of a measurement or of any numeric field; a
//     vector has a line for each component. If there are too many points, plot returns the minimum and the maximum of
//     each interval.
//   - stats returns the tables that -z prints; a cell is a text, a number, or null if unknown. A matrix counts how
//     often each player of a server did something to each other player; its total includes players that it leaves out.
//   - summary returns the summary that the program prints about a capture by default.
//   - worlds lists the worlds that clients downloaded, without duplicates, and the servers that report positions of
//     players; a server is identified by the port to which clients connect first. world draws a world. In the picture,
//     the game's point (x, y) is at (x, -y).
//   - paths lists positions of tanks and their shots, for a playback over the world. Until an answer is done, its
//     "next" is the "start" of the next request. An update that several players received is listed once.
//   - compare lists what is worse than in good captures, as gamedissect diff does. It waits until all of the captures
//     are read. AddGood opens a good capture, and CallOf calls an operation of that capture.
//   - others lists the packets that match a filter and belong to no game, and the kinds of such packets. It waits until
//     the capture is read.
//   - secrets reports whether any message has a password or a token.
//   - export returns a piece of a pcapng file with the packets that carry matching rows. For a TCP connection, the file
//     also has the first packets and the packets of the two messages before each row, because a reader needs them to
//     recognise the stream. A note on a message becomes a comment of the last packet that carries the message. With
//     "anonymize", export replaces names, texts and addresses, and omits notes and packets that belong to no game. The
//     next request repeats the answer's "next" and the other keys; "next": 0 starts again.
package view
