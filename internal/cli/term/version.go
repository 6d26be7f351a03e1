package term

import (
	"runtime/debug"
	"strings"
)

// The linker sets these for a release, which may be built without a repository: -X .../internal/cli/term.release=1.2.3
// -X .../term.commit=... -X .../term.date=2026-01-31T12:00:00Z.
var release, commit, date string

// Version returns the version of the release, or of the module if the program was built with go install, or
// "development".
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

// FullVersion returns the version, with the commit and its date if they are known.
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
