package live

import (
	"fmt"
	"testing"
	"time"

	xterm "golang.org/x/term"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Closing the screen restores the terminal's mode, text and cursor, even after a panic.
func TestScreenRestoresTheTerminal(t *testing.T) {
	near, far := clitest.PseudoTerminal(t, 33, 7)
	mode := func() xterm.State {
		state, err := xterm.GetState(int(far.Fd()))
		clitest.NoError(t, err)
		return *state
	}
	before := mode()
	for _, end := range []func(*term.Screen){
		(*term.Screen).Close,
		func(s *term.Screen) { s.Close(); s.Close() },
		func(s *term.Screen) {
			defer func() { _ = recover() }()
			defer newScreenDisplay(s, far, "", term.Colours, time.Now()).End()
			panic("broken")
		},
	} {
		s, err := term.OpenScreen(far, far)
		clitest.NoError(t, err)
		if mode() == before {
			t.Error("the terminal is not in raw mode")
		}
		s.Draw(func(width, height int) [][]byte { return [][]byte{fmt.Appendf(nil, "%d by %d", width, height)} })
		if got := clitest.Shows(t, near, term.ClearBelow); got != term.EnterScreen+term.HomeCursor+"33 by 7"+term.ClearLine+term.ClearBelow {
			t.Errorf("the terminal shows %q", got)
		}
		s.Aside(func() {
			if mode() != before {
				t.Error("the terminal's mode is not restored during Aside")
			}
		})
		clitest.Shows(t, near, term.EnterScreen)
		if end(s); mode() != before {
			t.Error("the terminal's mode is not restored at the end")
		}
		if got := clitest.Shows(t, near, term.LeaveScreen); got != term.LeaveScreen {
			t.Errorf("at the end %q", got)
		}
	}
}
