package testcapture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Values returns the values in the JSON fields of a message, by path. Values of lists are in order, and vectors become
// separate numbers. It leaves out the additional keys for texts that are not UTF-8 and for parts that a tree omits.
func Values(tb testing.TB, fields []byte) map[string][]string {
	tb.Helper()
	d := json.NewDecoder(bytes.NewReader(fields))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		tb.Fatalf("%v in %s", err, fields)
	}
	values := make(map[string][]string)
	gather(values, "", v)
	return values
}

func gather(values map[string][]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			base, odd := strings.CutSuffix(name, "_hex")
			if !odd {
				base, odd = strings.CutSuffix(name, "_not_shown")
			}
			if _, hasBase := v[base]; odd && hasBase {
				continue
			}
			gather(values, strings.TrimPrefix(path+"."+name, "."), x)
		}
	case []any:
		for _, x := range v {
			gather(values, path, x)
		}
	default:
		values[path] = append(values[path], fmt.Sprint(v))
	}
}
