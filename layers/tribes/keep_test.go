package tribes

import (
	"testing"

	"github.com/google/gopacket"
)

// A message that was decoded as an answer, because its receiver had asked for it, is decoded as an answer again when it
// is recalled, whatever the other layer decoded before.
func TestRecallAnswers(t *testing.T) {
	data := []byte{byte(CodeGameSpyPingReply), 0, 7, 1, 2, 3, 4, 5}
	names := map[bool]string{}
	for _, asked := range []bool{true, false} {
		first, again := new(Layer), new(Layer)
		first.Answers, again.Answers = asked, !asked
		if err := first.DecodeFromBytes(data, gopacket.NilDecodeFeedback); err != nil {
			t.Log(err) // the data may be incomplete
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
