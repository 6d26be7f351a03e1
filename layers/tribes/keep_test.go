package tribes

import (
	"testing"

	"github.com/google/gopacket"
)

// TestRecallAnswers checks that Recall decodes a packet as an answer if and only if the original layer did. The other
// layer's own state must not matter.
func TestRecallAnswers(t *testing.T) {
	data := []byte{byte(CodeGameSpyPingReply), 0, 7, 1, 2, 3, 4, 5}
	names := map[bool]string{}
	for _, asked := range []bool{true, false} {
		first, again := new(Layer), new(Layer)
		first.Answers, again.Answers = asked, !asked
		if err := first.DecodeFromBytes(data, gopacket.NilDecodeFeedback); err != nil {
			t.Log(err) // as an answer, the data is incomplete
		}
		if err := again.Recall(data, first.Keep()); err != nil {
			t.Log(err)
		}
		names[asked] = first.Message.Name
		if again.Message != first.Message {
			t.Errorf("answers %v: %s, want %s", asked, again.Message.Name, first.Message.Name)
		}
	}
	if names[true] == names[false] {
		t.Errorf("the packet is a %s with and without a query", names[true])
	}
}
