package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/layers"
)

// What the flags of several commands share.

// must is for errors that only a mistake in this program can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// completeWith has a shell complete the value of a flag from a list.
func completeWith(c *cobra.Command, flag string, values ...string) {
	must(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// oneOf is the error of a value that is none of those that can be chosen.
func oneOf(flag, got string, want []string) error {
	return fmt.Errorf("%s %s: choose one of %s", flag, got, strings.Join(want, ", "))
}

// protocolNames lists the names of all protocols.
func protocolNames() []string {
	var names []string
	for _, p := range layers.All() {
		names = append(names, p.Name)
	}
	return names
}
