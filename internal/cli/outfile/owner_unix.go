//go:build unix

package outfile

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner returns a file the owner and the group of the one whose place it takes, as far as the system lets it.
func keepOwner(f *os.File, of fs.FileInfo) {
	if s, ok := of.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(s.Uid), int(s.Gid)) // only root may give files away
	}
}
