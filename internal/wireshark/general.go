package wireshark

// general lists the fields that messages of all protocols share, by number, with their names in display filters.
// Wireshark itself has fields for frames, addresses and ports.
var general = [...]struct {
	name  string
	form  form
	about string
}{
	generalMessage:      {"message", formText, "the message's name, as in MsgKilled"},
	generalProtocol:     {"protocol", formText, "the protocol's name, as in tribes"},
	generalDirection:    {"direction", formText, "c2s to a server, s2c from one, p2p between peers"},
	generalCode:         {"code", formText, "the message's code"},
	generalLength:       {"length", formUint64, "bytes of the message"},
	generalTransport:    {"transport", formText, "udp or tcp"},
	generalStream:       {"stream", formUint64, "number of the conversation"},
	generalInfo:         {"info", formText, "the message's text in a line of output"},
	generalCopy:         {"copy", formNone, "copy of a message that the server sent to another client before"},
	generalDelta:        {"time_delta", formDouble, "seconds since the previous message of the conversation"},
	generalResponseTime: {"response_time", formDouble, "seconds from the question to this answer"},
	generalQuestion:     {"question_in", formQuestion, "the frame of the question that this message answers"},
	generalAnswer:       {"answer_in", formAnswer, "the frame of the answer to this message"},
	generalFinding:      {"finding", formNone, "a broken rule"},
	generalRule:         {"finding.rule", formText, "the rule's name; gamedissect rules lists all rules"},
	generalSeverity:     {"finding.severity", formText, "how severe it is"},
	generalText:         {"finding.text", formText, "what is wrong"},
}

const (
	generalMessage = iota + 1
	generalProtocol
	generalDirection
	generalCode
	generalLength
	generalTransport
	generalStream
	generalInfo
	generalCopy
	generalDelta
	generalResponseTime
	generalQuestion
	generalAnswer
	generalFinding
	generalRule
	generalSeverity
	generalText
)
