package verdict

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// A pair is a capture and the files of expectations for it.
type pair struct {
	capture      string
	expectations []string
	sameName     bool // the expectations have the same name as the capture
}

var yamlFiles = session.Kind{Is: isExpectation, None: "no expectations (*.yaml)"}

func isExpectation(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".yaml" || ext == ".yml"
}

// folderPairs pairs the captures and expectations in folders that have the same name.
func folderPairs(folders []string, warn io.Writer) ([]pair, error) {
	var list []pair
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil {
			return nil, session.OpenError(folder, err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder: name the capture with -r FILE", folder)
		}
		captures, err := session.FilesIn(folder, session.Captures)
		if err != nil {
			return nil, err
		}
		expectations, err := session.FilesIn(folder, yamlFiles)
		if err != nil {
			return nil, err
		}
		used := make(map[string]bool)
		for _, c := range captures {
			p := pair{capture: c, sameName: true}
			base, _ := session.Stem(c)
			for _, e := range expectations {
				if name := strings.TrimSuffix(e, filepath.Ext(e)); name == base || strings.HasPrefix(name, base+".") {
					p.expectations = append(p.expectations, e)
					used[e] = true
				}
			}
			if p.expectations == nil {
				term.Complain(warn, fmt.Errorf("%s has no expectations, and is left out", c))
				continue
			}
			list = append(list, p)
		}
		for _, e := range expectations {
			if !used[e] {
				return nil, fmt.Errorf("%s: there is no capture of this name, so nothing would be held against it", e)
			}
		}
	}
	return list, nil
}
