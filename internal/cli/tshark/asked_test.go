package tshark

import (
	"strings"
	"testing"
)

func TestOnlyNamed(t *testing.T) {
	for line, want := range map[string]bool{
		"-T fields -e frame.number":                            true,
		"-Y bzflag24 -Tfields -e a.text -e _ws.expert.message": true,
		"-T json":                       false,
		"-T fields -T json -e a":        false,
		"-nT json -T fields":            false,
		"-T":                            false,
		"-V":                            false,
		"":                              false,
		"-T fields -e text":             false,
		"-T fields -e _ws.col.Killer":   false,
		"-T fields -e _ws.lua.text":     false,
		"-T fields -e a -Y ${killer:1}": false,
		"-T fields -e a -z io,phs":      false,
		"-T fields -e a -zio,phs":       false,
		"-T fields -X lua_script:a.lua": false,
	} {
		if got := onlyNamed(strings.Fields(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
