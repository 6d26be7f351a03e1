//go:build !unix

package outfile

import (
	"io/fs"
	"os"
)

// keepOwner does nothing, since files on this system inherit their permissions from the folder.
func keepOwner(*os.File, fs.FileInfo) {}
