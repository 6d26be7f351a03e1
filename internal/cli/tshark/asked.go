package tshark

import (
	"regexp"
	"slices"
	"strings"
)

// scriptArguments returns the arguments that tell our script which fields tshark needs: the fields that tshark's own
// arguments name, and whether it needs only these. If so, the script adds only these to the tree.
func scriptArguments(passed []string) []string {
	if slices.Contains(passed, "--color") { // colour rules name further fields
		return nil
	}
	args := []string{"-X", "lua_script1:" + strings.Join(passed, " ")}
	if onlyNamed(passed) {
		args = append(args, "-X", "lua_script1:fields")
	}
	return args
}

// wholeTree matches arguments that need fields which they do not name: texts, columns, filter macros, scripts and
// statistics. The texts of findings (_ws.expert) are always in the tree.
var wholeTree = regexp.MustCompile(`(^|[^\w.])text($|[^\w.])|_ws\.([^e]|e[^x])|\$|lua_script|^-z`)

// onlyNamed reports whether tshark writes only values of fields that its arguments name.
func onlyNamed(passed []string) bool {
	fields := false
	for i, arg := range passed {
		if wholeTree.MatchString(arg) {
			return false
		}
		if !strings.HasPrefix(arg, "-") || strings.HasPrefix(arg, "--") || !strings.Contains(arg, "T") {
			continue
		}
		if fields || arg != "-Tfields" && (arg != "-T" || i+1 == len(passed) || passed[i+1] != "fields") {
			return false // several forms, or a -T within combined options
		}
		fields = true
	}
	return fields
}
