// Command generate builds the engine for browsers from the source tree around the working directory. Programs can then
// embed this engine.
package main

import (
	"context"
	"log"

	"github.com/gamedissect/gamedissect/internal/view/web/engine"
)

func main() {
	if err := engine.Generate(context.Background()); err != nil {
		log.Fatal(err)
	}
}
