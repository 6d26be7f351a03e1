package wireshark

// general has the numbers of the fields that messages of all protocols share, by their names in display filters.
// Wireshark itself has fields for frames, addresses and ports.
var general = [...]struct {
	name  string
	form  form
	about string
}{
	generalMessage:      {"message", formText, "the message's name, as in MsgKilled"},
	generalProtocol:     {"protocol", formText, "its name, as in tribes"},
	generalDirection:    {"direction", formText, "c2s to a server, s2c from one, p2p between equals"},
	generalCode:         {"code", formText, "the message's code"},
	generalLength:       {"length", formUint64, "bytes of the message"},
	generalTransport:    {"transport", formText, "udp or tcp"},
	generalStream:       {"stream", formUint64, "number of the conversation"},
	generalInfo:         {"info", formText, "what a line says of the message"},
	generalCopy:         {"copy", formNone, "of what a server told another client before"},
	generalDelta:        {"time_delta", formDouble, "seconds since the message before in the conversation"},
	generalResponseTime: {"response_time", formDouble, "seconds from the question to the answer that this is"},
	generalQuestion:     {"question_in", formQuestion, "the frame of the question that this answers"},
	generalAnswer:       {"answer_in", formAnswer, "the frame of the answer to this"},
	generalFinding:      {"finding", formNone, "a rule is broken here"},
	generalRule:         {"finding.rule", formText, "its name: gamedissect rules lists them"},
	generalSeverity:     {"finding.severity", formText, "how grave it is"},
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
