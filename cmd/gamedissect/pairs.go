package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A pair is a capture and the files of expectations that it is held against.
type pair struct {
	capture      string
	expectations []string
	belong       bool // they have the same name
}

// pairs finds what is to be held against what.
func (o *checkOptions) pairs(args []string, warn io.Writer) ([]pair, error) {
	if len(args) == 0 {
		return nil, errors.New("nothing to expect: name files of expectations, or a folder (see gamedissect check --help)")
	}
	if len(o.input.names) == 0 {
		return folderPairs(args, warn)
	}
	captures, err := expand(o.input.names, isCapture)
	if err != nil {
		return nil, err
	}
	if err := readOnce(captures); err != nil {
		return nil, err
	}
	expectations, err := expand(args, isExpectation)
	if err != nil {
		return nil, err
	}
	var list []pair
	for _, c := range captures {
		list = append(list, pair{capture: c, expectations: expectations})
	}
	return list, nil
}

func isExpectation(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".yaml" || ext == ".yml"
}

// stem is a capture's name without what says that it is one; ok is false for other files.
func stem(name string) (s string, ok bool) {
	s = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	for _, ext := range []string{".pcap", ".pcapng", ".cap"} {
		if s, ok := strings.CutSuffix(s, ext); ok {
			return s, true
		}
	}
	return "", false
}

func isCapture(name string) bool {
	_, ok := stem(name)
	return ok
}

// expand turns patterns into the files they fit, and folders into the files in them that are wanted.
func expand(names []string, wanted func(string) bool) ([]string, error) {
	var list []string
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case name == "-" || err == nil && !info.IsDir():
			list = append(list, name)
			continue
		case err == nil:
			found, err := inFolder(name, wanted)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
			continue
		}
		found, err := fitting(name)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// notOpened is the error of a file or folder that cannot be read, as capture words it.
func notOpened(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: cannot be opened: %w", name, err)
}

func inFolder(folder string, wanted func(string) bool) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, notOpened(folder, err)
	}
	var list []string
	for _, e := range entries {
		if !e.IsDir() && wanted(e.Name()) {
			list = append(list, filepath.Join(folder, e.Name()))
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to use in this folder", folder)
	}
	return list, nil
}

// folderPairs finds captures and expectations of the same name.
func folderPairs(folders []string, warn io.Writer) ([]pair, error) {
	var list []pair
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil {
			return nil, notOpened(folder, err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder: name the capture with -r FILE", folder)
		}
		captures, err := inFolder(folder, isCapture)
		if err != nil {
			return nil, err
		}
		expectations, err := inFolder(folder, isExpectation)
		if err != nil {
			return nil, err
		}
		used := make(map[string]bool)
		for _, c := range captures {
			p := pair{capture: c, belong: true}
			base, _ := stem(c)
			for _, e := range expectations {
				if name := strings.TrimSuffix(e, filepath.Ext(e)); name == base || strings.HasPrefix(name, base+".") {
					p.expectations = append(p.expectations, e)
					used[e] = true
				}
			}
			if p.expectations == nil {
				fmt.Fprintf(warn, "gamedissect: %s has no expectations, and is left out\n", appendPlain(nil, c))
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
