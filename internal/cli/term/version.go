package term

import (
	"runtime/debug"
	"strings"
)

// What the linker puts in when a release is built, since a release does not depend on the repository being there:
// -X .../internal/cli/term.release=1.2.3 -X .../term.commit=... -X .../term.date=2026-01-31T12:00:00Z.
var release, commit, date string

// Version is the release's, or else the module's as go install knows it.
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "development"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// FullVersion is the version with the commit that was built, and its date, as far as they are known.
func FullVersion() string {
	built, at := commit, date
	if info, ok := debug.ReadBuildInfo(); ok && built == "" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				built = s.Value
			case "vcs.time":
				at = s.Value
			}
		}
	}
	if built == "" {
		return Version()
	}
	day, _, _ := strings.Cut(at, "T")
	return Version() + " (commit " + built[:min(len(built), 12)] + ", " + day + ")"
}
