// Command newprotocol writes the skeleton of a protocol: a package with one message and its samples. Samples of real
// messages come from captures afterwards, and golden files from the tests.
//
// In the source tree of gamedissect, where `make protocol NAME=x PORT=n` runs it, the package stands below layers and
// gets its place in the lists. Elsewhere it becomes a module of its own, with a program that is gamedissect with this
// protocol:
//
//	go run github.com/gamedissect/gamedissect/cmd/newprotocol@latest -name quake3 -port 27960
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
	name := flag.String("name", "", "`NAME` of the protocol, in small letters: quake3")
	port := flag.Uint("port", 0, "UDP `PORT` of its servers")
	flag.Parse()
	if *port > 1<<16-1 {
		*port = 0 // no port, which is an error
	}
	var written []string
	var err error
	next := fmt.Sprintf("`go test ./layers/%s` passes now; `make pages` writes what lists protocols", *name)
	if _, missing := os.Stat("layers/layers.go"); missing == nil {
		written, err = generate(".", *name, uint16(*port))
	} else {
		v := values{Name: *name, Port: uint16(*port)}
		v.Version, v.Source = ofProgram()
		written, err = alone(".", v)
		next = fmt.Sprintf("`cd %s && go mod tidy && go test ./...` passes; `go run . -r FILE` dissects a capture", *name)
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

// ofProgram gives the version of gamedissect that this program belongs to, or for a build from its source tree the
// folder of that tree.
func ofProgram() (version, source string) {
	const unreleased = "v0.0.0"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Sum != "" {
		return info.Main.Version, ""
	}
	if _, here, _, _ := runtime.Caller(0); filepath.IsAbs(here) { // with -trimpath this is no path of a file
		return unreleased, filepath.Dir(filepath.Dir(filepath.Dir(here)))
	}
	return unreleased, "../gamedissect"
}
