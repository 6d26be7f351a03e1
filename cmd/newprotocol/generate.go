package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// skeleton contains the files of a new protocol. Their names and contents are templates.
//
//go:embed skeleton
var skeleton embed.FS

type values struct {
	Name      string // such as quake3
	Title     string // such as Quake3
	Port      uint16
	TCP       bool // TCP instead of UDP
	LayerType int  // number that no other layer has

	Alone   bool   // write a separate module
	Version string // version of gamedissect that the module needs
	Source  string // folder of gamedissect's source; "": the module downloads gamedissect
}

var validName = regexp.MustCompile(`^[a-z][a-z0-9]{1,19}$`)

// reserved are names that filters or packages already use.
var reserved = []string{"finding", "frame", "internal", "ip", "ipv6", "layers", "message", "tcp", "udp", "wire"}

// generate writes the protocol to gamedissect's source tree at root. It returns the files that it wrote or changed.
func generate(root string, v values) (written []string, err error) {
	if err := v.check(root); err != nil {
		return nil, err
	}
	if v.LayerType, err = freeLayerType(root, int(v.Port)); err != nil {
		return nil, err
	}
	files, err := v.fill()
	if err != nil {
		return nil, err
	}
	for file, edit := range map[string]func(string, *values) (string, error){
		"layers/layers.go": addToList,
		"README.md":        addToReadme,
		"docs/api.md":      addToPackages,
	} {
		old, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		text, err := edit(string(old), &v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		files[file] = text
	}
	return write(root, files)
}

// alone writes the protocol as a separate module to the folder root, which must not exist.
func alone(root string, v values) (written []string, err error) {
	if err := v.check(root); err != nil {
		return nil, err
	}
	if _, err := os.Stat(root); err == nil {
		return nil, fmt.Errorf("%s already exists", root)
	}
	v.Alone = true
	if v.LayerType, err = freeLayerType(root, int(v.Port)); err != nil {
		return nil, err
	}
	files, err := v.fill()
	if err != nil {
		return nil, err
	}
	return write(root, files)
}

func write(root string, files map[string]string) (written []string, err error) {
	for file, text := range files {
		path := filepath.Join(root, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return written, err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return written, err
		}
		written = append(written, file)
	}
	slices.Sort(written)
	return written, nil
}

// Transport is the transport protocol.
func (v *values) Transport() string {
	if v.TCP {
		return "TCP"
	}
	return "UDP"
}

// check returns an error if the values are invalid, or if the protocol already exists.
func (v *values) check(root string) error {
	switch {
	case !validName.MatchString(v.Name) || token.IsKeyword(v.Name) || slices.Contains(reserved, v.Name):
		return fmt.Errorf("%q is not a valid name for a protocol: use lower case letters and digits, and no reserved "+
			"word", v.Name)
	case v.Port == 0:
		return errors.New("set the port of its servers with -port, 1 to 65535")
	}
	for _, dir := range []string{"layers", "testdata"} {
		if _, err := os.Stat(filepath.Join(root, dir, v.Name)); err == nil {
			return fmt.Errorf("%s/%s already exists", dir, v.Name)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "docs", v.Name+".md")); err == nil {
		return fmt.Errorf("docs/%s.md already exists, and each protocol has a page with its name", v.Name)
	}
	return nil
}

var layerType = regexp.MustCompile(`(?m)^const LayerType gopacket\.LayerType = (\d+)$`)

// freeLayerType returns a number for the layer type in gopacket. It is the port, or the next free number if another
// layer has the port as its number. Numbers below 2000 are reserved for gopacket.
func freeLayerType(root string, port int) (int, error) {
	files, err := filepath.Glob(filepath.Join(root, "layers", "*", "*.go"))
	if err != nil {
		return 0, err
	}
	taken := make(map[int]bool)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		for _, match := range layerType.FindAllSubmatch(text, -1) {
			n, err := strconv.Atoi(string(match[1]))
			if err != nil {
				return 0, err
			}
			taken[n] = true
		}
	}
	n := port
	if n < 2000 {
		n += 100_000
	}
	for taken[n] {
		n++
	}
	return n, nil
}

// fill returns the files of the skeleton with the values filled in. The keys are paths relative to the root.
func (v *values) fill() (map[string]string, error) {
	v.Title = strings.ToUpper(v.Name[:1]) + v.Name[1:]
	files := make(map[string]string)
	err := fs.WalkDir(skeleton, "skeleton", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, "skeleton/alone/") && !v.Alone {
			return err
		}
		text, err := skeleton.ReadFile(path)
		if err != nil {
			return err
		}
		t, err := template.New(path).Parse(string(text))
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := t.Execute(&b, v); err != nil {
			return err
		}
		file := strings.TrimSuffix(strings.TrimPrefix(path, "skeleton/"), ".tmpl")
		if v.Alone {
			file = ownPaths.Replace(file)
		}
		files[strings.ReplaceAll(file, "NAME", v.Name)] = b.String()
		return nil
	})
	return files, err
}

// ownPaths translates the paths of the skeleton to the paths in a separate module.
var ownPaths = strings.NewReplacer("alone/", "", "layers/NAME/", "NAME/", "testdata/NAME/", "NAME/testdata/")

// addToList adds the protocol to the end of the list in layers.go.
func addToList(source string, v *values) (string, error) {
	const imports, list, end = "\t\"github.com/gamedissect/gamedissect/layers/", "return []*wire.Protocol{\n", "\n\t}\n"
	at := strings.Index(source, imports)
	from := strings.Index(source, list)
	if at < 0 || from < 0 {
		return "", errors.New("there is no list of protocols")
	}
	to := strings.Index(source[from:], end)
	if to < 0 {
		return "", errors.New("the list of protocols has no end")
	}
	to += from
	source = source[:at] + imports + v.Name + "\"\n" + source[at:to] + "\n\t\t" + v.Name + ".Protocol," + source[to:]
	text, err := format.Source([]byte(source))
	return string(text), err
}

// addToPackages adds a row to the table of packages in docs/api.md.
func addToPackages(text string, v *values) (string, error) {
	at := strings.LastIndex(text, "\n| `layers/")
	if at < 0 {
		return "", errors.New("there is no table of packages")
	}
	end := strings.Index(text[at+1:], "\n")
	if end < 0 {
		return "", errors.New("the table of packages has no end")
	}
	at += 1 + end + 1
	return text[:at] + fmt.Sprintf("| `layers/%s` | of %s |\n", v.Name, v.Title) + text[at:], nil
}

// addToReadme adds a row to the README's table of protocols.
func addToReadme(text string, v *values) (string, error) {
	const heading = "| protocol | what it is |\n"
	from := strings.Index(text, heading)
	if from < 0 {
		return "", errors.New("there is no table of protocols")
	}
	to := strings.Index(text[from:], "|\n\n")
	if to < 0 {
		return "", errors.New("the table of protocols has no end")
	}
	to += from + len("|\n")
	return text[:to] + fmt.Sprintf("| `%s` | %s (%s) |\n", v.Name, v.Title, v.Transport()) + text[to:], nil
}
