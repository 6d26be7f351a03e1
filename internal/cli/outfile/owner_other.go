//go:build !unix

package outfile

import (
	"io/fs"
	"os"
)

// keepOwner has nothing to keep: here files inherit their rights from the folder.
func keepOwner(*os.File, fs.FileInfo) {}
