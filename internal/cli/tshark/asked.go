package tshark

import (
	"regexp"
	"slices"
	"strings"
)

// scriptArguments returns arguments for our script. They contain tshark's own arguments, in which the script looks for
// names of fields. They also say whether tshark needs only the fields in these arguments. If so, the script adds no
// other fields to the tree.
func scriptArguments(passed []string) []string {
	if slices.Contains(passed, "--color") { // colour rules use further fields
		return nil
	}
	args := []string{"-X", "lua_script1:" + strings.Join(passed, " ")}
	if onlyNamed(passed) {
		args = append(args, "-X", "lua_script1:fields")
	}
	return args
}

// wholeTree matches arguments that may need any field: texts, columns, filter macros, scripts and statistics. The texts
// of findings (_ws.expert) are always in the tree.
var wholeTree = regexp.MustCompile(`(^|[^\w.])text($|[^\w.])|_ws\.([^e]|e[^x])|\$|lua_script|^-z`)

// onlyNamed reports whether tshark writes only the values of fields that occur in its arguments.
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
			return false // several forms, or a T among combined short options
		}
		fields = true
	}
	return fields
}
