package tshark

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
)

// CheckPassed returns an error if arguments for Wireshark contain an option of this program, or would make Wireshark
// read a capture other than the dissected one.
func CheckPassed(flags *pflag.FlagSet, words []string) error {
	if len(words) > 0 && session.Exists(words[0]) && session.IsCapture(words[0]) {
		return fmt.Errorf("%s: only one file is shown; merge several with -r FILE -r FILE", words[0])
	}
	for i, word := range words {
		name, value, _ := strings.Cut(word, "=")
		if i+1 < len(words) {
			value = cmp.Or(value, words[i+1])
		}
		_, protocol, _ := strings.Cut(value, ",")
		long, isLong := strings.CutPrefix(name, "--")
		ours := isLong && long != "help" && flags.Lookup(long) != nil
		switch {
		case ours, name == "-d" && slices.Contains(option.ProtocolNames(), protocol):
			return fmt.Errorf("%s after the file is passed to Wireshark; write options of gamedissect before the file", name)
		case slices.Contains([]string{"-r", "--read-file", "-i", "--interface"}, name):
			return fmt.Errorf("%s: Wireshark would show packets that were not dissected; "+
				"name the file first, or several with -r FILE -r FILE", name)
		}
	}
	return nil
}
