package wireshark

import (
	"regexp"
	"slices"
	"strings"
)

// tsharkWants gives the arguments of the script that say what tshark will be asked for: the names that stand in its
// command line, and whether only these are.
func tsharkWants(passed []string) []string {
	if slices.Contains(passed, "--color") { // the rules of colours stand elsewhere
		return nil
	}
	args := []string{"-X", "lua_script1:" + strings.Join(passed, " ")}
	if OnlyNamed(passed) {
		args = append(args, "-X", "lua_script1:fields")
	}
	return args
}

// wholeTree is what asks for more of the tree than it names: what Wireshark calls texts and columns, macros of filters,
// and scripts. The texts of findings are there always.
var wholeTree = regexp.MustCompile(`(^|[^\w.])text($|[^\w.])|_ws\.([^e]|e[^x])|\$|lua_script|^-z`)

// OnlyNamed reports whether tshark writes nothing but values of fields that the command line names.
func OnlyNamed(passed []string) bool {
	fields := false
	for i, arg := range passed {
		if wholeTree.MatchString(arg) {
			return false
		}
		if !strings.HasPrefix(arg, "-") || strings.HasPrefix(arg, "--") || !strings.Contains(arg, "T") {
			continue
		}
		if fields || arg != "-Tfields" && (arg != "-T" || i+1 == len(passed) || passed[i+1] != "fields") {
			return false // more than one form, or hidden among other options
		}
		fields = true
	}
	return fields
}
