package engine

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// maxWasm is the maximum size of the engine in bytes. The size is limited because everyone who opens a page waits until
// the whole engine is loaded. Comparisons account for 50 kB of it, and anonymized exports for 65 kB.
const maxWasm = 4_050_000

// root is the root of the source tree.
const root = "../../../.."

// TestBuild checks that the engine is built only once and has at most maxWasm bytes.
func TestBuild(t *testing.T) {
	if os.Getenv("GAMEDISSECT_BROWSER") != "need" {
		t.Skip("it compiles for browsers; GAMEDISSECT_BROWSER=need runs it")
	}
	cache := t.TempDir()
	if runtime.GOOS != "linux" {
		t.Skip("this system finds the cache in another way")
	}
	build, err := os.UserCacheDir() // keep Go's build cache; otherwise everything is compiled again
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", filepath.Join(build, "go-build"))
	t.Setenv("XDG_CACHE_HOME", cache)
	calls := 0
	for range 2 {
		f, err := InCache(context.Background(), Source{Dir: root}, func() { calls++ })
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d bytes", len(f.Wasm))
		if len(f.Wasm) > maxWasm {
			t.Errorf("the engine takes %d bytes, want at most %d", len(f.Wasm), maxWasm)
		}
	}
	if calls != 1 {
		t.Errorf("built %d times", calls)
	}
	there, err := os.ReadDir(filepath.Join(cache, "gamedissect"))
	if err != nil || len(there) != 1 || !strings.HasPrefix(there[0].Name(), "engine-devel-") {
		t.Errorf("in the cache: %v, %v", there, err)
	}
}

// TestFiles checks that write keeps an existing engine, and that files that are not an engine are an error.
func TestFiles(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte("\x00asm\x01\x00\x00\x00"))
	_ = z.Close()
	good := Files{Wasm: packed.Bytes(), Exec: []byte("globalThis.Go = 1")}
	dir := filepath.Join(t.TempDir(), "a", "engine")
	for range 2 { // the second time, as if another process had been faster
		if err := good.write(dir); err != nil {
			t.Fatal(err)
		}
	}
	if f, err := Read(dir); err != nil || !bytes.Equal(f.Wasm, good.Wasm) || !bytes.Equal(f.Exec, good.Exec) {
		t.Errorf("%v, %v", f, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) != 1 {
		t.Errorf("files beside the engine: %v", left)
	}
	for name, bad := range map[string]Files{
		"empty": {}, "no gzip": {Wasm: []byte("\x00asm"), Exec: good.Exec}, "cut": {Wasm: good.Wasm[:12], Exec: good.Exec},
		"another script": {Wasm: good.Wasm, Exec: []byte("alert(1)")},
	} {
		dir := filepath.Join(t.TempDir(), "engine")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := bad.put(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir); err == nil {
			t.Errorf("%s: accepted as an engine", name)
		}
	}
}

// TestMissing checks that a missing Go or source tree is an error.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Build(context.Background(), Source{Dir: root}); !errors.Is(err, ErrNoGo) {
		t.Error(err)
	}
	if _, ok := rootAbove(t.TempDir(), module); ok {
		t.Error("a folder elsewhere is accepted as a source tree")
	}
	if got, ok := rootAbove(must(filepath.Abs(".")), module); !ok || got != must(filepath.Abs(root)) {
		t.Error(got, ok)
	}
}

// TestKey checks that different code results in a different key.
func TestKey(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "gamedissect_js.go", "cmd/gamedissect/main.go", "internal/view/a.go", "capture/b.go", "decode/c.go", "layers/d.go"} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(name), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]string{}
	for _, changed := range []string{"", "internal/view/a.go", "go.mod", "layers/new.go"} {
		if changed != "" {
			if err := os.WriteFile(filepath.Join(dir, changed), []byte(time.Now().String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		key := must(Source{Dir: dir}.Key())
		if before, ok := seen[key]; ok {
			t.Errorf("changing %q and changing %q result in the same key", changed, before)
		}
		seen[key] = changed
	}
	if err := os.WriteFile(filepath.Join(dir, "internal", "view", "a_test.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if key := must(Source{Dir: dir}.Key()); seen[key] != "layers/new.go" {
		t.Error("a test changes the key")
	}
	if must(Source{Version: "v1.2.3"}.Key()) != "v1.2.3" {
		t.Error("the key of a version is not the version")
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestSweep checks that sweep removes old engines of development builds. It must keep other engines, new engines, and
// the engine in use.
func TestSweep(t *testing.T) {
	cache := t.TempDir()
	long := time.Now().Add(-2 * maxAge)
	for name, old := range map[string]bool{
		"engine-devel-1": true, "engine-devel-2": true, "engine-devel-3": false, "engine-v1.0.0": true, "bin": true,
	} {
		if err := os.Mkdir(filepath.Join(cache, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if old {
			if err := os.Chtimes(filepath.Join(cache, name), long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	sweep(filepath.Join(cache, "engine-devel-2"))
	left, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range left {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != "bin engine-devel-2 engine-devel-3 engine-v1.0.0" {
		t.Error(got)
	}
}
