//go:build !unix

package outfile

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: here files inherit their rights from the folder.
func keepOwner(*os.File, fs.FileInfo) {}
