package tribes

import (
	"testing"

	"github.com/google/gopacket"
)

// If the receiver of a message asked for it, the message is decoded as the answer again, whatever the other layer
// decoded in between.
func TestRecallAnswers(t *testing.T) {
	data := []byte{byte(CodeGameSpyPingReply), 0, 7, 1, 2, 3, 4, 5}
	names := map[bool]string{}
	for _, asked := range []bool{true, false} {
		first, again := new(Layer), new(Layer)
		first.Answers, again.Answers = asked, !asked
		if err := first.DecodeFromBytes(data, gopacket.NilDecodeFeedback); err != nil {
			t.Log(err) // what could be decoded
		}
		if err := again.Recall(data, first.Keep()); err != nil {
			t.Log(err)
		}
		names[asked] = first.Message.Name
		if again.Message != first.Message {
			t.Errorf("asked %v: %s, want %s", asked, again.Message.Name, first.Message.Name)
		}
	}
	if names[true] == names[false] {
		t.Errorf("the sample is %s in any case", names[true])
	}
}
