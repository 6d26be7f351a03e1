package bzflag17

// What tests of the package from outside want to see.
var (
	Framing = framing
	IsHello = isHello
)
