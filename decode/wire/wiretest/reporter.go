package wiretest

// reporter has the methods of testing.TB that the checks use. The tests of the checks have their own implementation.
type reporter interface {
	Errorf(format string, args ...any)
}

// counter is a reporter that counts errors.
type counter struct {
	reporter
	failures int
}

func (c *counter) Errorf(format string, args ...any) {
	c.failures++
	c.reporter.Errorf(format, args...)
}
