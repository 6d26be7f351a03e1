package docs

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

const module = "github.com/gamedissect/gamedissect/"

// root is the name of the module's root package in the tables.
const root = "gamedissect"

// importPath returns the import path of a package in the tables.
func importPath(path string) string {
	if path == root {
		return strings.TrimSuffix(module, "/")
	}
	return module + path
}

// sentences are what a package's comment must say. They are about whether other programs may rely on the package.
var sentences = map[bool]string{
	true:  "Other programs may rely on its exported names, see docs/api.md.",
	false: "Other programs must not rely on it, see docs/api.md.",
}

// promised reads the tables of api.md. It maps the packages in the first table to true, and those in the second to
// false.
func promised(t *testing.T) map[string]bool {
	t.Helper()
	text, err := files.ReadFile("api.md")
	if err != nil {
		t.Fatal(err)
	}
	first, second, ok := bytes.Cut(text, []byte("\n## Packages without a compatibility promise\n"))
	if !ok {
		t.Fatal("no second table")
	}
	row := regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)` \\|")
	list := make(map[string]bool)
	for part, is := range map[string]bool{string(first): true, string(second): false} {
		for _, m := range row.FindAllStringSubmatch(part, -1) {
			if _, twice := list[m[1]]; twice {
				t.Errorf("%s is listed twice", m[1])
			}
			list[m[1]] = is
		}
	}
	return list
}

// ours returns the folders of the packages that other programs can import, by path relative to the module.
func ours(t *testing.T) map[string]string {
	t.Helper()
	dirs := make(map[string]string)
	for _, p := range golist(t, "{{.ImportPath}}\t{{.Name}}\t{{.Dir}}", "./...") {
		path, ok := strings.CutPrefix(p[0], module)
		if p[0] == importPath(root) {
			path, ok = root, true
		}
		if ok && p[1] != "main" && !internal(path) {
			dirs[path] = p[2]
		}
	}
	return dirs
}

// compiled returns an importer that reads the export data of packages.
func compiled(t *testing.T, paths []string) types.Importer {
	t.Helper()
	args := []string{"-export", "-deps", "{{.ImportPath}}\t{{.Export}}"}
	for _, path := range paths {
		args = append(args, importPath(path))
	}
	exports := make(map[string]string)
	for _, p := range golist(t, args...) {
		exports[p[0]] = p[1]
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
}

// golist runs go list with options, patterns, and a format whose columns are separated by tabs.
func golist(t *testing.T, args ...string) (rows [][]string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the names that package capture exports depend on the system")
	}
	form := slices.IndexFunc(args, func(s string) bool { return strings.HasPrefix(s, "{{") })
	c := exec.Command("go", slices.Concat([]string{"list"}, args[:form], []string{"-f"}, args[form:])...)
	c.Dir = ".."
	text, err := c.Output()
	if err != nil {
		t.Skipf("go list: %v", err) // the tests were compiled elsewhere
	}
	for line := range strings.Lines(string(text)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

func internal(path string) bool { return strings.Contains("/"+path+"/", "/internal/") }

// TestPackages checks that each package is in one of the tables, and that the package's comment agrees with the table.
func TestPackages(t *testing.T) {
	list, dirs := promised(t), ours(t)
	for path := range list {
		if dirs[path] == "" {
			t.Errorf("there is no package %s", path)
		}
	}
	for path, dir := range dirs {
		public, ok := list[path]
		if !ok {
			t.Errorf("%s is in no table of docs/api.md", path)
		}
		if comment := packageComment(t, dir); !strings.Contains(comment, sentences[public]) || strings.Contains(comment, sentences[!public]) {
			t.Errorf("the comment of package %s does not say: %s", path, sentences[public])
		}
	}
}

// packageComment returns a package's comment with its lines joined.
func packageComment(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") && f.Doc != nil {
			b.WriteString(f.Doc.Text())
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// TestAPI compares the exported names of the promised packages with testdata/api.txt, so changes are noticed.
func TestAPI(t *testing.T) {
	list := promised(t)
	var paths []string
	for path, public := range list {
		if public {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	packages := compiled(t, paths)
	var text []byte
	for _, path := range paths {
		p, err := packages.Import(importPath(path))
		if err != nil {
			t.Fatal(err)
		}
		a := api{of: p, public: list}
		a.pack()
		for _, needs := range a.needs {
			t.Errorf("%s needs %s, which has no compatibility promise", path, needs)
		}
		text = fmt.Appendf(text, "== %s\n%s", path, strings.Join(a.lines, ""))
	}
	wiretest.Golden(t, filepath.Join("..", "testdata", "api.txt"), text)
}

// An api collects what a package exports.
type api struct {
	of     *types.Package
	public map[string]bool
	lines  []string
	needs  []string
}

func (a *api) add(format string, args ...any) {
	a.lines = append(a.lines, fmt.Sprintf(format, args...)+"\n")
}

// name returns the name of another package. It records the package in needs if it is not promised.
func (a *api) name(p *types.Package) string {
	if p == a.of {
		return ""
	}
	if path, ours := strings.CutPrefix(p.Path(), module); ours && !a.public[path] && !internal(path) && !slices.Contains(a.needs, path) {
		a.needs = append(a.needs, path)
	}
	return p.Name()
}

func (a *api) pack() {
	for _, name := range a.of.Scope().Names() {
		switch o := a.of.Scope().Lookup(name).(type) {
		case *types.Const:
			if o.Exported() {
				a.add("%s = %s", types.ObjectString(o, a.name), o.Val().ExactString())
			}
		case *types.TypeName:
			if o.Exported() {
				a.typ(o)
			}
		default:
			if o.Exported() {
				a.add("%s", types.ObjectString(o, a.name))
			}
		}
	}
}

// typ adds a type with its fields and methods. It includes fields and methods from internal packages, because users
// cannot look them up there.
func (a *api) typ(o *types.TypeName) {
	switch under := o.Type().Underlying().(type) {
	case *types.Struct:
		a.add("type %s struct", types.TypeString(o.Type(), a.name))
		for f := range under.Fields() {
			if f.Exported() {
				a.add("  %s %s", f.Name(), types.TypeString(f.Type(), a.name))
			}
		}
	case *types.Interface:
		a.add("type %s interface", types.TypeString(o.Type(), a.name))
		for m := range under.Methods() {
			a.method(m)
		}
		return
	default:
		a.add("type %s %s", o.Name(), types.TypeString(under, a.name))
	}
	for m := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
		if f := m.Obj(); f.Exported() && (f.Pkg() == a.of || internal(f.Pkg().Path())) {
			a.method(f)
		}
	}
}

func (a *api) method(m types.Object) {
	a.add("  %s%s", m.Name(), strings.TrimPrefix(types.TypeString(m.Type(), a.name), "func"))
}
