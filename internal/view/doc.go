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
// A View keeps no decoded message. To decode a message again it needs the message's bytes, its context, and what the
// session put into the layer before decoding, see wire.Keeper. It keeps these, equal ones once: some 70 bytes a
// message.
//
// # Calls
//
// Call takes the name of an operation and a JSON object, and returns a JSON object. All keys of a request are optional
// unless stated otherwise; unknown keys are an error. An error is an answer as well:
//
//	{"error": {"text": "no such field: bzflag24.kiled", "offset": 0, "size": 14, "meant": ["bzflag24.killed"],
//	 "mended": ["bzflag24.killed"]}}
//
// Errors in filters have offset and size (bytes of the filter's text in UTF-8), meant, and mended: for each text in
// meant the whole corrected filter, "" if it does not compile. A View is for one goroutine at a time.
//
// Times are seconds since the first packet, as numbers; "start" of the state says when that was. Offsets and sizes
// are bytes. Texts come from the traffic and may be hostile: show them as text. Control characters are escaped as \x1b;
// a text that is not UTF-8 is read as Latin-1. Keys whose value would be "", 0, false or [] are omitted, unless stated
// otherwise.
//
// Long work continues from call to call: the caller repeats a request until the answer says "done": true. Each call
// works for about "ms" milliseconds (default 30; 0 does the minimum). While the capture is being read, "done": true
// means that the work reached the last row read so far; the same request later continues from there.
//
// # Reading
//
// step {"bytes": 4194304, "ms": 30} reads on, until there were so many bytes of packets or so much time has passed. It
// answers as state {} does. All keys are always there.
//
//	{"name": "lag.pcapng", "format": "pcapng", "size": 40960, "read": 40960, "done": true, "error": "",
//	 "start": "2026-11-22T12:00:00.000000001Z", "seconds": 31.5, "packets": 301, "rows": 512, "messages": 500,
//	 "findings": {"note": 2, "warning": 11, "error": 1}, "protocols": {"bzflag24": 500},
//	 "values": 1200, "events": 31, "moves": 310, "memory": 35000, "forgotten": [], "left_out": ""}
//
// error says why reading ended early: the file is cut or damaged; rows before that are served. rows counts messages,
// and findings that no message carries. memory is the size of the index. forgotten are sentences about what the engine
// dropped for lack of memory; left_out is a sentence if the index itself was full.
//
// # Rows
//
// rows {"from": 0, "count": 50, "filter": "", "around": 70, "ms": 0} returns at most 1000 rows: those that match the
// filter, as far as it was applied. With around, from is chosen so that the row of that number, or the next one that
// matches, is in the middle.
//
//	{"total": 512, "from": 0, "examined": 512, "done": true, "rows": [
//	  {"row": 0, "frame": 4, "time": 0.000214, "stream": "tcp,0", "src": "10.0.0.2:40000", "dst": "10.0.0.1:5154",
//	   "protocol": "bzflag24", "direction": "c2s", "name": "MsgEnter", "code": "en", "length": 390,
//	   "summary": "tank Alice", "severity": "warning", "rules": ["bzflag24.length"]},
//	  {"row": 1, "frame": 4, "time": 0.000214, "protocol": "bzflag24", "finding": true, "rules": ["tribes.unanswered"],
//	   "severity": "note", "summary": "nobody answered", ...}]}
//
// A row with "copy" tells again what was told before, one with "move" where a player is. row is the row's number in the
// capture, from 0. It never changes: detail takes it and links contain it. total counts
// the rows that match so far. row, frame and time are always present. rows {"only": [17, 18, 40]} returns these rows.
//
// next {"row": 70, "back": false, "filter": "", "ms": 30} returns the nearest row after that one (before it, with back)
// that has findings and matches: {"row": 81, "done": true}; -1 if there is none so far.
//
// detail {"row": 70, "all": false}: the keys of the row, and
//
//	{..., "utc": "2026-11-22T12:00:31.000000001Z", "frame": 70, "file": "lag.pcapng", "stream": "tcp,0",
//	 "data": "00066b6c0102", "data_left": 0, "captured": 6,
//	 "findings": [
//	   {"rule": "bzflag24.length", "severity": "warning", "title": "a length that the code does not have",
//	    "why": "...", "source": "...", "text": "this case", "offset": 0, "size": 2, "node": 3}],
//	 "tree": [
//	   {"name": "length", "value": "6", "kind": "unsigned", "offset": 0, "size": 2,
//	    "field": "bzflag24.killed.length", "filter": "bzflag24.killed.length == 6"},
//	   {"name": "killer", "value": "2", "meaning": "Bob", ..., "findings": [0]},
//	   {"name": "position", "kind": "group", "offset": 6, "size": 12, "children": [...], "left_out": 0}],
//	 "pieces": [{"frame": 70, "offset": 66, "size": 6}]}
//
// data are the bytes of the message in hexadecimal, at most 256 KiB; data_left counts the others. A node with
// "computed" has no bytes of its own. node in a finding is the number of the deepest node that the finding is about,
// counted from 0 in the order of the tree; findings in a node are the numbers of findings. Lists are cut after 64
// elements unless "all" is set; left_out counts the omitted elements. offset and size of a node are always present. A
// row that is a finding has findings, and neither data nor tree. frames are the packets that carried the message, if
// there were several.
//
// # Filters
//
// filter {"text": "bzflag24.killed && frame.time_relative > 5", "ms": 30} finds the rows that match. A View keeps the
// results of the four filters used last.
//
//	{"text": "...", "examined": 512, "of": 512, "matches": 12, "done": true}
//
// complete {"text": "bzflag24.kil", "offset": 12} proposes what may stand at an offset of a filter's text: names of
// fields, and after a comparison the values of an enumeration. The chosen proposal replaces text[from:to].
//
//	{"from": 0, "to": 12, "names": [{"name": "bzflag24.killed", "type": "message"},
//	   {"name": "bzflag24.killed.reason", "type": "enumeration", "values": ["GotShot", ...]}], "more": 0}
//
// fields {"protocol": ""} lists all: {"fields": [{"name", "type", "values"}]}.
//
// # What was found
//
// findings {"filter": "", "ms": 30} groups findings by rule, the most severe and most frequent first. rows are the
// first hundred. by are the senders of what breaks the rule, the most frequent first, at most twenty.
//
//	{"done": true, "rules": [{"rule": "bzflag24.length", "severity": "warning", "title": "...", "why": "...",
//	   "source": "...", "protocol": "bzflag24", "count": 3, "example": "a case", "rows": [17, 18, 40],
//	   "by": [{"who": "10.0.0.2:40000", "count": 3, "row": 17, "example": "this case"}], "by_left": 0,
//	   "filter": "finding.rule == \"bzflag24.length\""}]}
//
// sequence {"filter": "", "clients": ["all"], "hosts": [], "hide": ["10.0.0.3:40001"], "apart": false, "from": 0,
// "count": 50, "around": 70, "ms": 30} returns a sequence diagram: its ends, and its lines from a number on. All
// clients of a server in clients are one end, and so are all ports of an address in hosts; "all" means every server or
// address. Successive messages of one kind between the same two ends are one line; with apart each message has its own
// line. The lines are those around the row around.
//
//	{"done": true, "examined": 512, "of": 512, "hidden": 12, "total": 70, "arrows": 500, "from": 0, "at": 41,
//	 "ends": [{"end": 1, "id": "10.0.0.1:5154", "host": "10.0.0.1", "server": true, "messages": 500},
//	   {"end": 0, "id": "clients of 10.0.0.1:5154", "clients": "10.0.0.1:5154", "joined": 3, "messages": 500}],
//	 "lines": [{"line": 0, "row": 12, "last": 190, "until": 4.1, "count": 120, "from_end": 0, "to_end": 1, ...},
//	   {"line": 1, "row": 191, "count": 0, "silence": 5.2, "from_end": -1, "to_end": -1}]}
//
// An end that is a player, or a server with a name, has "name" when all is read. With "no_moves" the diagram leaves out
// messages that tell where a player is, if they have no findings. A line has the keys of its first row. from_end and
// to_end are -1 in a silence, and in a finding without a sender or a receiver. hidden counts the rows of hidden ends.
// at is the line of around, -1 if there is none. With {"run": 0, ...} the answer has the rows of that line instead, and
// total counts them. There are at most 200 ends; all others together are the end "other ends". While a capture is read,
// lines are added or get longer.
//
// timeline {"from": 0, "to": 31.5, "server": "", "count": 5000, "filter": "", "ms": 30} returns the events that -z
// timeline prints, and the lives of players and servers. A life without "began" began before the capture, one without
// "ended" lasts to its end. The row of an event is -1 if no message shows it. A filter selects the events of the
// messages that match; it does not select lives.
//
//	{"done": true, "events": [{"row": 70, "time": 4.2, "protocol": "bzflag24", "server": "10.0.0.1:5154",
//	   "event": "kill", "who": "2 Bob", "whom": "3 Erin", "text": "Bob shot Erin"}], "left_out": 0,
//	 "kinds": {"kill": 12, "chat": 3},
//	 "lives": [{"kind": "player", "server": "10.0.0.1:5154", "who": "2 Bob", "from": 1.5, "to": 30.1,
//	   "began": true, "ended": true},
//	   {"kind": "server", "server": "10.0.0.1:5154", "from": 0, "to": 31.5}]}
//
// # Numbers
//
// rates {"intervals": 200, "from": 0, "to": 31.5, "by": "name", "filter": "", "ms": 30} counts messages in equal
// intervals, by "name" of the message (with its protocol), "protocol", "stream" or "severity". The series are the
// eight most frequent kinds, and "others". With "round": true intervals are 1, 2 or 5 times a power of ten seconds long
// and begin at multiples of that; there are as many as the range needs, at most one more than "intervals".
//
//	{"done": true, "from": 0, "interval": 0.1575, "intervals": 200,
//	 "series": [{"name": "bzflag24 MsgPlayerUpdate", "total": 410, "counts": [0, 2, ...]}], "bytes": [0, 310, ...]}
//
// measured {} lists what trackers measured, by table, subject and name.
//
//	{"series": [{"table": "players", "server": "10.0.0.1:5154", "who": "2 Bob", "what": "lag", "unit": "s",
//	   "protocol": "bzflag24", "count": 12, "min": 0.02, "mean": 0.05, "max": 0.31}], "left_out": 0}
//
// plot {"field": "bzflag24.player_update.position", "by": "bzflag24.player_update.player", "filter": "", "points":
// 2000, "ms": 30} gives the values of any field over time, one line for each value of by (none: one line); or plot
// {"measured": {"table": "players", "server": "10.0.0.1:5154", "who": "2 Bob", "what": "lag"}} those of a series of
// measured. Each component of a vector is a line, such as "2 Bob x". If there are more than points points, the answer
// has the minimum and the maximum of each interval.
//
//	{"done": true, "examined": 512, "of": 512, "unit": "s", "lines": [{"name": "2 Bob", "count": 410, "min": -3,
//	   "mean": 2.5, "max": 7, "times": [0.1, 0.2], "values": [3, 4.5], "rows": [17, 20]}], "left_out": 0}
//
// summary {} returns what the program prints first about a capture: the keys are those of its JSON, without commands.
//
// stats {} returns the tables that -z prints. A cell is a text, a number, or null if unknown; unit is "s" for seconds,
// "B" for bytes. Tables of a protocol have the columns server and who, and whom for what one player does to another.
//
//	{"tables": [{"name": "messages", "title": "Messages", "protocol": "bzflag24",
//	   "columns": [{"name": "message"}, {"name": "count", "number": true}, {"name": "bytes", "unit": "B",
//	    "number": true}],
//	   "rows": [["MsgKilled", 12, 100]], "left_out": 0}],
//	 "matrices": [{"name": "kills", "title": "BZFlag 2.4: kills", "protocol": "bzflag24", "server": "10.0.0.1:5154",
//	   "who": [{"name": "2 Bob", "count": 3}], "whom": [{"name": "3 Erin", "count": 3}], "counts": [[3]],
//	   "total": 3, "left_out": 0}]}
//
// A matrix counts for a server how often each player did something to each other; left_out counts the players it has no
// room for. The counts of who and whom are sums over all players.
//
// # Worlds
//
// worlds {} lists the worlds that clients downloaded, equal ones once, and the servers on which players move. A server
// is named by the port on which it answers hellos.
//
//	{"worlds": [{"world": 0, "row": 12, "time": 0.5, "server": "10.0.0.1:5154", "protocol": "bzflag24", "note": ""}],
//	 "servers": [{"server": "10.0.0.1:5154", "protocol": "bzflag24"}]}
//
// world {"world": 0}: {"svg": "<svg ...>", "text": "# a map file", "whole": true, "note": ""}.
//
// The picture has the world's coordinates: the game's x, y is x, -y in the viewBox.
//
// paths {"server": "10.0.0.1:5154", "from": 0, "to": 31.5, "start": 0, "ms": 30} returns where tanks were and what they
// shot, for a playback over the world, from the row start on. Unless the answer is done, the next request has its next
// as start.
//
//	{"done": true, "next": 512, "tanks": [{"who": "2 Bob", "times": [...], "rows": [...], "x": [...], "y": [...],
//	   "z": [...], "vx": [...], "vy": [...], "vz": [...], "angle": [...], "spin": [...], "status": [...]}],
//	 "shots": [{"who": "2 Bob", "shot": 256, "time": 3.2, "lifetime": 3.5, "x": 1, "y": 2, "z": 3, "vx": 100, "vy": 0,
//	   "vz": 0, "row": 40}], "ends": [{"who": "2 Bob", "shot": 256, "time": 3.9, "row": 52}],
//	 "deaths": [{"who": "3 Erin", "by": "2 Bob", "time": 3.9, "row": 51}],
//	 "flags": [{"flag": 0, "name": "R*", "status": "OnTank", "who": "2 Bob", "time": 5, "x": 1, "y": 2, "z": 0,
//	   "row": 60}],
//	 "players": [{"who": "2 Bob", "team": "Red", "time": 1.5, "row": 9}], "size": 800}
//
// An update or a shot that several players received is listed once. angle is in radians, spin in radians a second, v in
// units a second; status has the bits of the message: 1 alive, 2 paused, 4 exploding, 64 falling. A shot with the
// number of an earlier one is a missile that turned. A flag keeps its state until the next entry with its number; the
// position of a flag in the air is where it will land. size is the length of the world's edges, if the server sent it.
//
// # Packets
//
// export {"filter": "", "notes": [{"row": 70, "text": "here it lags"}], "next": 0, "ms": 30} returns the packets that
// carry matching rows (all packets without a filter) as a pcapng file: each answer has a piece of it, in base64. The
// file contains every packet with a part of a matching message. Of a TCP connection it also contains the first packets
// and those of the two messages before, which a reader needs to recognise the stream. A note is a comment of the packet
// in which its message ended. The next request has the number next of the answer and the same other keys; 0 starts
// again.
//
//	{"done": false, "next": 1048600, "data": "Cg0NCg..."}
package view
