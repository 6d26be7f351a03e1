// Package view is a capture that is open: what a window on it asks for, a piece at a time. It knows no window.
//
//	v, err := view.Open(file, size, "lag.pcapng", view.Options{Protocols: layers.All()})
//	for v.Step(4<<20, 30*time.Millisecond) {
//		... // rows are served in between
//	}
//	answer := v.Call("rows", []byte(`{"from": 0, "count": 50}`))
//
// Nothing decoded is kept. A message depends on its bytes, on its context, and on what its session put into the layer
// before it was decoded, see wire.Keeper. Those are kept, equal ones once, and the message is decoded again when it is
// looked at. So a message takes some 70 bytes, and each is at hand at once.
//
// # Calls
//
// Call takes the name of an operation and a JSON object, and gives a JSON object. {} is a good request wherever
// nothing is said to be needed; unknown keys are refused. What goes wrong is an answer as well:
//
//	{"error": {"text": "no such field: bzflag24.kiled", "offset": 0, "size": 14, "meant": ["bzflag24.killed"],
//	 "mended": ["bzflag24.killed"]}}
//
// offset (bytes of the filter's text, in UTF-8), size, meant and mended are there for filters alone; mended are
// the whole filters with what may have been meant, "" where that makes none. A View is for one goroutine at a time.
//
// Times are seconds since the first packet, as numbers; "start" of the state says when that was. Offsets and sizes
// are bytes. Texts come from strangers: they are to be shown as text. Control characters in them are escaped as
// \x1b, and what is no UTF-8 is read as Latin-1. Keys whose value would be "", 0, false or [] are left out, unless
// said otherwise.
//
// Work that takes long goes on from call to call: the same request is sent again until its answer says "done": true.
// Each call works for about "ms" milliseconds (30 without; 0 does the least possible). While a capture is being
// read such work covers what was read so far, says "done": true when it reached that, and goes on from there when
// asked again.
//
// # Reading
//
// step {"bytes": 4194304, "ms": 30} reads on, until there were so many bytes of packets or so much time has passed. It
// answers as state {} does. All keys are always there.
//
//	{"name": "lag.pcapng", "format": "pcapng", "size": 40960, "read": 40960, "done": true, "error": "",
//	 "start": "2026-11-22T12:00:00.000000001Z", "seconds": 31.5, "packets": 301, "rows": 512, "messages": 500,
//	 "findings": {"note": 2, "warning": 11, "error": 1}, "protocols": {"bzflag24": 500},
//	 "values": 1200, "events": 31, "memory": 35000, "forgotten": [], "left_out": ""}
//
// error is why reading ended early: the file is cut or damaged; all before it is served. rows counts messages, and
// findings that no message carries. memory is what the index takes. forgotten are sentences about what the engine had
// no room to remember; left_out is a sentence if the index itself was full.
//
// # Rows
//
// rows {"from": 0, "count": 50, "filter": "", "around": 70, "ms": 0}: a filter gives those that match; it is that of
// the call filter, which may still be at work. With around, from is chosen such that the row of that number, or the
// next one that matches, is in the middle. Not more than 1000 are given.
//
//	{"total": 512, "from": 0, "examined": 512, "done": true, "rows": [
//	  {"row": 0, "frame": 4, "time": 0.000214, "stream": "tcp,0", "src": "10.0.0.2:40000", "dst": "10.0.0.1:5154",
//	   "protocol": "bzflag24", "direction": "c2s", "name": "MsgEnter", "code": "en", "length": 390,
//	   "summary": "tank Alice", "severity": "warning", "rules": ["bzflag24.length"]},
//	  {"row": 1, "frame": 4, "time": 0.000214, "protocol": "bzflag24", "finding": true, "rules": ["tribes.unanswered"],
//	   "severity": "note", "summary": "nobody answered", ...}]}
//
// row is the number in the capture, from 0, and never changes: it is what detail takes and what links name. total is
// how many rows there are, that match so far. row, frame and time are always there. rows {"only": [17, 18, 40]} gives
// these.
//
// next {"row": 70, "back": false, "filter": "", "ms": 30} gives the nearest row behind that one, or before it, that has
// findings and matches: {"row": 81, "done": true}; -1 where there is none, so far.
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
// data are the bytes of the message in hexadecimal, not more than 256 KiB; data_left says how many more there are. A
// node with "computed" has no bytes of its own. node in a finding is the number of the deepest node that it is about,
// in the order in which the tree is read, from 0; findings in a node are their numbers. Lists are cut behind 64
// elements unless "all" is set; left_out says how many elements are not shown. offset and size of a node are always
// there. A row that is a finding has findings, and neither data nor tree. frames are the packets that
// the message was in, where they were several.
//
// # Filters
//
// filter {"text": "bzflag24.killed && frame.time_relative > 5", "ms": 30} finds the rows that match. Four filters are
// remembered, the one used longest ago is let go.
//
//	{"text": "...", "examined": 512, "of": 512, "matches": 12, "done": true}
//
// complete {"text": "bzflag24.kil", "offset": 12} gives what may stand at a place in a filter's text: names of fields,
// and behind a comparison the values of an enumeration. from and to is what the chosen one replaces.
//
//	{"from": 0, "to": 12, "names": [{"name": "bzflag24.killed", "type": "message"},
//	   {"name": "bzflag24.killed.reason", "type": "enumeration", "values": ["GotShot", ...]}], "more": 0}
//
// fields {"protocol": ""} lists all: {"fields": [{"name", "type", "values"}]}.
//
// # What was found
//
// findings {"filter": "", "ms": 30}: grouped by rule, the worst and most frequent first. rows are the first hundred; by
// are the ends that sent what breaks the rule, the most frequent first, at most twenty.
//
//	{"done": true, "rules": [{"rule": "bzflag24.length", "severity": "warning", "title": "...", "why": "...",
//	   "source": "...", "protocol": "bzflag24", "count": 3, "example": "a case", "rows": [17, 18, 40],
//	   "by": [{"who": "10.0.0.2:40000", "count": 3, "row": 17, "example": "this case"}], "by_left": 0,
//	   "filter": "finding.rule == \"bzflag24.length\""}]}
//
// sequence {"filter": "", "clients": ["all"], "hosts": [], "hide": ["10.0.0.3:40001"], "apart": false, "from": 0,
// "count": 50, "around": 70, "ms": 30} draws a sequence diagram: ends, and the lines from a number on. clients are
// servers whose clients are one end, hosts are addresses whose ports are; "all" means each. Messages of one kind that
// follow one another are one line for each two ends, unless apart is set; then there is one line for each. around is a
// row that the lines are to be about.
//
//	{"done": true, "examined": 512, "of": 512, "hidden": 12, "total": 70, "arrows": 500, "from": 0, "at": 41,
//	 "ends": [{"end": 1, "id": "10.0.0.1:5154", "host": "10.0.0.1", "server": true, "messages": 500},
//	   {"end": 0, "id": "clients of 10.0.0.1:5154", "clients": "10.0.0.1:5154", "joined": 3, "messages": 500}],
//	 "lines": [{"line": 0, "row": 12, "last": 190, "until": 4.1, "count": 120, "from_end": 0, "to_end": 1, ...},
//	   {"line": 1, "row": 191, "count": 0, "silence": 5.2, "from_end": -1, "to_end": -1}]}
//
// A line has the keys of its first row. A side is -1 in a silence, and in a finding without a sender or a receiver.
// hidden is how many rows hidden ends have, at is the line of around, -1 if there is none. With {"run": 0, ...} the rows
// of a line are given instead, and total is how many they are. There are at most 200 ends; further ones are one, "other
// ends". While a capture is read, lines are added or get longer.
//
// timeline {"from": 0, "to": 31.5, "server": "", "count": 5000, "filter": "", "ms": 30}: what happened, as -z timeline
// has it, and who was there. A life without an end lasts until the capture ends, one without a start was there before
// it. The row of an event is -1 where no message shows it. A filter leaves the events of the messages that it finds,
// and all lives.
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
// rates {"intervals": 200, "from": 0, "to": 31.5, "by": "name", "filter": "", "ms": 30}: how many messages there were
// in equal intervals, by "name" of the message (with its protocol), "protocol", "stream" or "severity". At most twenty
// kinds are listed, the most frequent first, and "others".
//
//	{"done": true, "from": 0, "interval": 0.1575, "intervals": 200,
//	 "series": [{"name": "bzflag24 MsgPlayerUpdate", "total": 410, "counts": [0, 2, ...]}], "bytes": [0, 310, ...]}
//
// measured {} lists what was measured: by table, who it is about, and what.
//
//	{"series": [{"table": "players", "server": "10.0.0.1:5154", "who": "2 Bob", "what": "lag", "unit": "s",
//	   "protocol": "bzflag24", "count": 12, "min": 0.02, "mean": 0.05, "max": 0.31}], "left_out": 0}
//
// plot {"field": "bzflag24.player_update.position", "by": "bzflag24.player_update.player", "filter": "", "points":
// 2000, "ms": 30} gives the values of any field over time, one line for each value of by (none: one line); or plot
// {"measured": {"table": "players", "server": "10.0.0.1:5154", "who": "2 Bob", "what": "lag"}} those of a series of
// measured. Of a vector each component is a line, such as "2 Bob x". Where there are more points than asked for,
// neighbours are thinned out such that the minimum and the maximum of each interval stay.
//
//	{"done": true, "examined": 512, "of": 512, "unit": "s", "lines": [{"name": "2 Bob", "count": 410, "min": -3,
//	   "mean": 2.5, "max": 7, "times": [0.1, 0.2], "values": [3, 4.5], "rows": [17, 20]}], "left_out": 0}
//
// stats {}: the tables that -z prints. Cells are texts or numbers, null where nothing is known; unit is "s" for
// seconds, "B" for bytes. Tables of a protocol have the columns server and who, and whom where one does something to
// another.
//
//	{"tables": [{"name": "messages", "title": "Messages", "protocol": "bzflag24",
//	   "columns": [{"name": "message"}, {"name": "count", "number": true}, {"name": "bytes", "unit": "B",
//	    "number": true}],
//	   "rows": [["MsgKilled", 12, 100]], "left_out": 0}],
//	 "matrices": [{"name": "kills", "title": "BZFlag 2.4: kills", "protocol": "bzflag24", "server": "10.0.0.1:5154",
//	   "who": [{"name": "2 Bob", "count": 3}], "whom": [{"name": "3 Erin", "count": 3}], "counts": [[3]],
//	   "total": 3, "left_out": 0}]}
//
// A matrix says how often each did it to each, at a server; left_out are those for whom it has no room. The counts of
// who and whom are sums of all.
//
// # Worlds
//
// worlds {} lists the worlds that clients downloaded, equal ones once, and the servers on which players move. A server
// goes by the port at which it says hello.
//
//	{"worlds": [{"world": 0, "row": 12, "time": 0.5, "server": "10.0.0.1:5154", "protocol": "bzflag24", "note": ""}],
//	 "servers": [{"server": "10.0.0.1:5154", "protocol": "bzflag24"}]}
//
// world {"world": 0}: {"svg": "<svg ...>", "text": "# a map file", "whole": true, "note": ""}.
//
// The picture has the coordinates of the world: a place x, y of the game stands at x, -y in its viewBox.
//
// paths {"server": "10.0.0.1:5154", "from": 0, "to": 31.5, "start": 0, "ms": 30}: where tanks were and what they shot,
// for a playback over the world. Each answer has what comes behind the row start; where it is not done, the next
// request starts with the row next of the answer.
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
// An update and a shot stand there once, however many players received them. angle is in radians, spin in radians
// and v in units a second; status has the bits of the message: 1 alive, 2 paused, 4 exploding, 64 falling. A shot with
// the number of an earlier one is a missile that turns. A flag stands like that until another entry tells of it; in the
// air it is where it is going to land. size is the length of the world's edges, if the server told it.
//
// # Packets
//
// export {"filter": "", "notes": [{"row": 70, "text": "here it lags"}], "next": 0, "ms": 30} gives the packets that
// carry the rows that match, all without a filter, as a pcapng file: a piece of it with each answer, in base64. A
// packet that brought a part of a message is among them. So are, with TCP, those with which the connection begins and
// those of the two messages before, without which the rest of the stream cannot be read. Notes are comments of the
// packet in which the message ended. The next request has the number next of the answer; 0 begins anew. While it goes
// on, the other keys are to stay the same.
//
//	{"done": false, "next": 1048600, "data": "Cg0NCg..."}
package view
