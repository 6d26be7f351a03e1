package term

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// If the terminal refuses raw mode, Enter and Close write nothing.
func TestScreenRefused(t *testing.T) {
	var out bytes.Buffer
	s := &Screen{Out: &out, Raw: func() (func(), error) { return nil, errors.New("no") }}
	if err := s.Enter(); err == nil || out.Len() > 0 {
		t.Errorf("%v, %q", err, &out)
	}
	s.Close()
	if out.Len() > 0 {
		t.Errorf("%q", &out)
	}
}

// While the program is stopped, the terminal shows its normal screen. The Screen shows the next page when the program
// is in the foreground again, and nothing after Close.
func TestScreenSuspended(t *testing.T) {
	var out bytes.Buffer
	raw, foreground := 0, true
	s := &Screen{Out: &out, Size: func() (int, int, error) { return 80, 5, nil }, Foreground: func() bool { return foreground },
		Raw: func() (func(), error) {
			raw++
			return func() { raw-- }, nil
		}}
	draw := func() string {
		out.Reset()
		s.Draw(func(int, int) [][]byte { return nil })
		return out.String()
	}
	clitest.NoError(t, s.Enter())
	stopped := false
	s.suspend(func() {
		stopped = true
		if raw != 0 || !strings.HasSuffix(out.String(), LeaveScreen) || draw() != "" {
			t.Errorf("the terminal has %q when the program is stopped", &out)
		}
	})
	foreground = false
	if draw() != "" || !stopped || raw != 0 {
		t.Errorf("in the background there is %q", &out)
	}
	foreground = true
	if got := draw(); got != EnterScreen+HomeCursor+ClearBelow || raw != 1 {
		t.Errorf("in the foreground again there is %q", got)
	}
	s.suspend(s.Close)
	if draw() != "" || raw != 0 {
		t.Errorf("after Close there is %q", &out)
	}
}

// q and Ctrl-C end the run, Ctrl-Z stops it, and other keys do nothing.
func TestReadKeys(t *testing.T) {
	for keys, want := range map[string][2]int{
		"": {}, "abc\x1b[A\r": {}, "q": {1, 0}, "xxQ": {1, 0}, "\x03": {1, 0}, "\x1a": {0, 1}, "\x1azq": {1, 1},
	} {
		ends, stops := 0, 0
		if ReadKeys(strings.NewReader(keys), func() { ends++ }, func() { stops++ }); [2]int{ends, stops} != want {
			t.Errorf("%q: ended %d times, stopped %d times, want %d", keys, ends, stops, want)
		}
	}
}
