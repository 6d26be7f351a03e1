package view

import "github.com/gamedissect/gamedissect/decode/wire/format"

// plain gives a text from the traffic as it may be shown.
func plain(s string) string { return string(format.AppendUnquoted(nil, []byte(s))) }
