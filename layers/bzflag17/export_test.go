package bzflag17

// Exported for tests outside the package.
var (
	Framing = framing
	IsHello = isHello
)
