package wire_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The direction that the session expects overrides the ports.
func TestProbeDirection(t *testing.T) {
	for _, c := range []struct {
		probe  wire.Probe
		want   wire.Direction
		onPort bool
	}{
		{wire.Probe{}, wire.Unknown, false},
		{wire.Probe{ToPort: true}, wire.ToServer, true},
		{wire.Probe{FromPort: true}, wire.FromServer, true},
		{wire.Probe{ToPort: true, FromPort: true}, wire.Unknown, true},
		{wire.Probe{ToExpected: true}, wire.ToServer, true},
		{wire.Probe{FromExpected: true}, wire.FromServer, true},
		{wire.Probe{ToPort: true, FromExpected: true}, wire.FromServer, true},
		{wire.Probe{FromPort: true, ToExpected: true}, wire.ToServer, true},
		{wire.Probe{FromPort: true, ToExpected: true, FromExpected: true}, wire.FromServer, true},
	} {
		if c.probe.PortDirection() != c.want || c.probe.OnPort() != c.onPort {
			t.Errorf("%+v: %v, on port %t", c.probe, c.probe.PortDirection(), c.probe.OnPort())
		}
	}
}

// A Privacies table is searched for the field's message and path, then for its path, its name, and the groups around
// it, beginning with the innermost. If the field is not listed, its kind determines its privacy.
func TestPrivacies(t *testing.T) {
	table := wire.Privacies{
		"text": wire.PrivateChat, "Reject.text": wire.Public, "servers.text": wire.PrivateName,
		"group": wire.PrivateBytes, "group.inner": wire.PrivateAddress,
	}
	for _, c := range []struct {
		message, path string
		kind          wire.Kind
		want          wire.Privacy
		listed        bool
	}{
		{"Say", "text", wire.String, wire.PrivateChat, true},
		{"Reject", "text", wire.String, wire.Public, true},
		{"Say", "servers.text", wire.String, wire.PrivateName, true},
		{"Say", "players.text", wire.String, wire.PrivateChat, true},
		{"Say", "group.x", wire.Uint, wire.PrivateBytes, true},
		{"Say", "group.inner.x", wire.Uint, wire.PrivateAddress, true},
		{"Say", "group.inner.deep.x", wire.Uint, wire.PrivateAddress, true},
		{"Say", "g.inner.x", wire.Uint, wire.Public, false},
		{"Say", "x", wire.Uint, wire.Public, false},
		{"Say", "x", wire.String, wire.PrivateName, false},
		{"Say", "x.y", wire.Bytes, wire.PrivateBytes, false},
		{"Say", "x", wire.Address, wire.PrivateAddress, false},
	} {
		if got, listed := table.Of(c.message, c.path, c.kind); got != c.want || listed != c.listed {
			t.Errorf("%s.%s: %v, listed %t", c.message, c.path, got, listed)
		}
	}
}
