// Command site makes a static site from the pages in docs. The site is HTML without scripts, and loads nothing from
// elsewhere. `make site` runs it in the folder tools.
//
// The content of the pages belongs in docs, not here.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"
)

func main() {
	root := pflag.String("root", "..", "`FOLDER` of the repository")
	out := pflag.StringP("output", "o", "../site", "`FOLDER` to write the site into")
	pflag.Parse()
	if err := build(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(2)
	}
	fmt.Println(*out + "/index.html")
}
