// Command newprotocol writes the skeleton of a protocol: a package with one message and its samples.
//
// In the source tree of gamedissect (`make protocol NAME=x PORT=n` runs the command there), it writes the package to a
// folder below layers and adds the protocol to the lists of protocols. In other folders, or with -o, it writes a
// separate module. The module contains a program, which is gamedissect with this protocol:
//
//	go run github.com/gamedissect/gamedissect/cmd/newprotocol@latest -name quake3 -port 27960
//	go run ./cmd/newprotocol -name quake3 -port 27960 -o ../quake3
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
)

func main() {
	var v values
	flag.StringVar(&v.Name, "name", "", "`NAME` of the protocol, in lower case: quake3")
	port := flag.Uint("port", 0, "`PORT` of its servers")
	flag.BoolVar(&v.TCP, "tcp", false, "the protocol uses TCP instead of UDP")
	root := flag.String("o", "", "write a separate module to `FOLDER`, also in gamedissect's source tree (default: NAME)")
	flag.Parse()
	if *port <= 1<<16-1 {
		v.Port = uint16(*port) // otherwise 0, which is an error
	}
	var written []string
	var err error
	next := fmt.Sprintf("`go test ./layers/%s` must pass. `make pages` updates the pages that list protocols", v.Name)
	if *root == "" && inTree(".") {
		written, err = generate(".", v)
	} else {
		if *root == "" {
			*root = v.Name
		}
		v.Version, v.Source = ofProgram()
		written, err = alone(*root, v)
		next = fmt.Sprintf("`cd %s && go mod tidy && go test ./...` must pass. `go run . -r FILE` dissects a capture", *root)
		if v.Source == unknownSource {
			next = fmt.Sprintf("Put the path of gamedissect's source tree into %s. ", filepath.Join(*root, "go.mod")) + next
		}
	}
	for _, file := range written {
		fmt.Println(file)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "newprotocol:", err)
		os.Exit(2)
	}
	fmt.Println(next)
}

// inTree reports whether a folder is the root of gamedissect's source tree.
func inTree(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "layers", "layers.go"))
	return err == nil
}

// unknownSource is written instead of the path of the source tree if a program built with -trimpath does not know the
// path.
const unknownSource = "../gamedissect"

// ofProgram returns the version of gamedissect that this program belongs to. If the program was built in a source tree,
// it returns the version v0.0.0 and the folder of the tree.
func ofProgram() (version, source string) {
	const unreleased = "v0.0.0"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Sum != "" {
		return info.Main.Version, ""
	}
	if here, err := os.Getwd(); err == nil && inTree(here) {
		return unreleased, here
	}
	if _, here, _, _ := runtime.Caller(0); filepath.IsAbs(here) { // with -trimpath, this is not the path of a file
		return unreleased, filepath.Dir(filepath.Dir(filepath.Dir(here)))
	}
	return unreleased, unknownSource
}
