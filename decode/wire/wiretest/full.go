package wiretest

import "os"

// Full reports whether tests of masses run in full: by default they run with a tenth.
func Full() bool { return os.Getenv("GAMEDISSECT_FULL") != "" }
