package wiretest

import "os"

// Full reports whether tests of masses run in full, as the environment variable GAMEDISSECT_FULL=1 asks for:
// by default they run with a tenth.
func Full() bool { return os.Getenv("GAMEDISSECT_FULL") != "" }
