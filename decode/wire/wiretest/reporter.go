package wiretest

// reporter is the part of testing.TB that the checks use, so that they can be tested.
type reporter interface {
	Errorf(format string, args ...any)
}

// counter counts the errors reported through it.
type counter struct {
	reporter
	failures int
}

func (c *counter) Errorf(format string, args ...any) {
	c.failures++
	c.reporter.Errorf(format, args...)
}
