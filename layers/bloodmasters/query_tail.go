package bloodmasters

import "github.com/gamedissect/gamedissect/decode/wire"

// checkTail checks that a decoded reply has the fields of its version, and no others. Any trailing bytes begin at off.
func (r *ServerInfoReply) checkTail(c *wire.Cursor, off int) {
	n := len(r.Trailing)
	switch {
	case n == 0 && len(r.Clients) == r.listed():
	case r.reportClientCount(c):
	case len(r.Clients) < r.listed():
		c.ReportRange(ruleClientCount, r.countAt, 1, "num_clients is %d, %d records are there", r.NumClients, len(r.Clients))
	case r.Version < 27 && (r.fits(c, 27, int(r.NumClients)) || r.fits(c, 28, int(r.NumClients))):
		c.ReportRange(ruleVersionFields, off, n,
			"version %d has no fields after protocol_version, %d bytes of a later version's are there", r.Version, n)
	case r.Version == 27 && r.fits(c, 28, int(r.NumClients)):
		c.ReportRange(ruleVersionFields, off, n, "version 27 has no build, %d bytes of one are there", n)
	default:
		c.ReportRange(ruleTrailing, off, n, "%s after the last field", wire.Counted(n, "byte"))
	}
}

// listed returns the number of client records that the reply should have. Replies before version 27 have none.
func (r *ServerInfoReply) listed() int {
	if r.Version < 27 || r.Foreign {
		return 0
	}
	return int(r.NumClients)
}

// maxRecords is the highest number of client records that reportClientCount tries. Real servers have at most ten
// clients.
const maxRecords = 32

// reportClientCount reports a wrong number of clients if the message would fit exactly with another number.
func (r *ServerInfoReply) reportClientCount(c *wire.Cursor) bool {
	if r.Version < 27 || r.Foreign || r.tail == 0 || r.fits(c, r.Version, int(r.NumClients)) {
		return false
	}
	for n := range maxRecords {
		if n != int(r.NumClients) && r.fits(c, r.Version, n) {
			c.ReportRange(ruleClientCount, r.countAt, 1, "num_clients is %d, %d records are there", r.NumClients, n)
			return true
		}
	}
	return false
}

// fits reports whether the message would end exactly after its last field if it had this version and this number of
// clients.
func (r *ServerInfoReply) fits(c *wire.Cursor, version uint8, clients int) bool {
	data := c.From(r.tail)
	if data == nil {
		return false
	}
	try := ServerInfoReply{Version: version, NumClients: uint8(clients), texts: r.texts}
	return wire.Fits((*versionFields)(&try), data) && len(try.Clients) == clients
}

// reads reports whether the rest of the message has the fields of a known version. Bytes may be left over.
func (r *ServerInfoReply) reads(c *wire.Cursor) bool {
	try := ServerInfoReply{Version: launcherVersion, NumClients: r.NumClients, texts: r.texts}
	return wire.Read((*versionFields)(&try), c.Peek()) == nil
}

// versionFields are the fields of a reply that depend on the version.
type versionFields ServerInfoReply

func (v *versionFields) Walk(c *wire.Cursor) {
	r := (*ServerInfoReply)(v)
	if c.Reading() {
		r.Foreign = r.Version > launcherVersion && (c.Truncated() || !r.reads(c))
	}
	if r.Foreign {
		return
	}
	if c.When(r.Version >= 27) {
		r.extended(c)
	}
	if c.When(r.Version >= 28) {
		r.text(c, "build", &r.Build)
	}
}
