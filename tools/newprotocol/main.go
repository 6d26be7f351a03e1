// Command newprotocol writes the skeleton of a protocol: a package below layers with one message, its samples,
// and its place in the lists. `make protocol NAME=x PORT=n` runs it in the folder tools. Samples of real messages come
// from captures afterwards, and golden files from the tests.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"
)

func main() {
	name := pflag.String("name", "", "`NAME` of the protocol, in small letters: quake3")
	port := pflag.Uint16("port", 0, "UDP `PORT` of its servers")
	pflag.Parse()
	written, err := generate("..", *name, *port)
	for _, file := range written {
		fmt.Println(file)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "newprotocol:", err)
		os.Exit(2)
	}
	fmt.Printf("`go test ./layers/%s` passes now; `make pages` writes what lists protocols\n", *name)
}
