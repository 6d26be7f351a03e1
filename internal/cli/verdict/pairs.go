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

// folderPairs pairs each capture in the folders with the expectations of the same name.
func folderPairs(folders []string, warn io.Writer) ([]pair, error) {
	var list []pair
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil {
			return nil, session.OpenError(folder, err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("%s is not a folder: name the capture with -r FILE", folder)
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
				term.Complain(warn, fmt.Errorf("%s has no expectations, so it is skipped", c))
				continue
			}
			list = append(list, p)
		}
		for _, e := range expectations {
			if !used[e] {
				return nil, fmt.Errorf("%s: there is no capture of this name, so check would not use it", e)
			}
		}
	}
	return list, nil
}
