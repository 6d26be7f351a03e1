package bzflag17

// Names exported only for tests in package bzflag17_test.
var (
	Framing = framing
	IsHello = isHello
)
