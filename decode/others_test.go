package decode

import "testing"

// checkOthers checks that an engine that was closed says of each packet that is none of ours what it is.
func checkOthers(tb testing.TB, e *Engine) {
	tb.Helper()
	sum := int64(0)
	for _, o := range e.Others() {
		if o.Packets <= 0 || o.First <= 0 || o.Bytes < 0 {
			tb.Errorf("a row %+v", o)
		}
		sum += o.Packets
	}
	if c := e.Counters(); sum != c.Other {
		tb.Errorf("%d packets of other traffic, and it says what %d are: %+v", c.Other, sum, e.Others())
	}
	if x := e.decoder.others; x != nil && len(x.conversations)+len(x.datagrams) > 0 {
		tb.Errorf("%d conversations and %d datagrams still wait", len(x.conversations), len(x.datagrams))
	}
}
