package engine

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ErrNoGo is the error if PATH has no go command.
var ErrNoGo = errors.New("there is no Go in PATH")

// Build builds the engine with the go command in PATH.
func Build(ctx context.Context, from Source) (*Files, error) {
	program, err := exec.LookPath("go")
	if err != nil {
		return nil, ErrNoGo
	}
	dir, err := os.MkdirTemp("", "gamedissect-engine-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a folder that remains only takes up space
	t := toolchain{ctx, program, from.Dir}
	if from.Version != "" {
		// go.mod makes all of the following go commands use the same version of Go.
		t.dir = dir
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module engine\n"), 0o644); err != nil {
			return nil, err
		}
		if _, err := t.run("get", from.program()+"@"+from.Version); err != nil {
			return nil, err
		}
	}
	out := filepath.Join(dir, "engine.wasm")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out}
	for _, name := range small {
		args = append(args, "-gcflags="+name+"=-l")
	}
	_, err = t.run(append(args, from.program())...)
	if err != nil {
		return nil, err
	}
	return t.gather(out)
}

// small lists packages in which speed matters little. Without inlining in these packages, the engine is 2.5 % smaller.
var small = []string{
	"crypto/...", "encoding/json", "fmt", "html", "math/big", "net/url", "reflect", "regexp", "regexp/syntax", "time",
	module + "/decode/wire/attempt", module + "/internal/anonymize", module + "/internal/diff",
	module + "/internal/filter", module + "/internal/report", module + "/internal/summary",
	module + "/layers/bloodmasters", module + "/layers/iceball", module + "/layers/internal/plainhttp",
	module + "/layers/bzflag24/world", module + "/layers/internal/bzflag/bzmap",
}

// Generate builds the engine from the source tree around the working directory, and writes it into this package's
// folder in that tree.
func Generate(ctx context.Context) error {
	wd, err := os.Getwd()
	if err != nil {
		return err
	}
	root, ok := rootAbove(wd, module)
	if !ok {
		return errors.New("not in the source tree of " + module)
	}
	f, err := Build(ctx, Source{Dir: root})
	if err != nil {
		return err
	}
	return f.put(filepath.Join(root, "internal", "view", "web", "engine"))
}

// InCache returns the engine for a source from the user's cache. If the cache does not have the engine, InCache calls
// building and builds the engine.
func InCache(ctx context.Context, from Source, building func()) (*Files, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	key, err := from.Key()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "gamedissect", "engine-"+key)
	if f, err := Read(dir); err == nil {
		return f, nil
	}
	building()
	f, err := Build(ctx, from)
	if err != nil {
		return nil, err
	}
	sweep(dir)
	return f, f.write(dir)
}

// maxAge is the maximum age of cached engines of development builds. Each change of the source results in another
// engine.
const maxAge = 24 * time.Hour

// sweep removes engines of development builds from the cache if they are older than maxAge. It keeps the engine in the
// folder but. It ignores errors, because it runs again after the next build.
func sweep(but string) {
	old, _ := filepath.Glob(filepath.Join(filepath.Dir(but), "engine-devel-*")) // the pattern is valid
	for _, dir := range old {
		if info, err := os.Stat(dir); err == nil && dir != but && time.Since(info.ModTime()) > maxAge {
			_ = os.RemoveAll(dir)
		}
	}
}

// toolchain runs go commands in the folder dir.
type toolchain struct {
	ctx     context.Context
	program string
	dir     string
}

func (t toolchain) run(args ...string) (string, error) {
	c := exec.CommandContext(t.ctx, t.program, args...)
	c.Dir = t.dir
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("go %s: %w\n%s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), err
}

// gather reads the built engine and the script from the same version of Go.
func (t toolchain) gather(built string) (*Files, error) {
	wasm, err := os.ReadFile(built)
	if err != nil {
		return nil, err
	}
	root, err := t.run("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(root), "lib", "wasm", Exec))
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	_, err = z.Write(improve(wasm))
	if err = errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	f := &Files{Wasm: packed.Bytes(), Exec: script}
	return f, f.check()
}
