//go:build unix

package outfile

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner sets the owner and the group of a file to those of the file that it replaces, as far as the system permits.
func keepOwner(f *os.File, of fs.FileInfo) {
	if s, ok := of.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(s.Uid), int(s.Gid)) // only root may change the owner
	}
}
