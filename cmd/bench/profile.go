package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// profile runs each row once on its inputs and joins their CPU profiles into one, which the next build
// of the program is guided by.
func profile(ctx context.Context, shelf *store, chosen []input, rows []row, name string) error {
	p, err := findPrograms(ctx, shelf)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is only in the way
	join := []string{"tool", "pprof", "-proto", "-output", name}
	for i := range chosen {
		in := &chosen[i]
		if packed(in.name) {
			continue // decompressing is not ours to make faster
		}
		if err := generateInProcess(ctx, p, shelf, in); err != nil {
			return err
		}
		for _, r := range rowsFor(rows[1:], in.name) {
			part := filepath.Join(dir, fmt.Sprint(len(join)))
			shelf.progress.Printf("%s on %s", r.name, in.name)
			command := append(r.command(p, filepath.Join(shelf.dir, in.name)), "--cpuprofile", part)
			if _, err := runOnce(ctx, command); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			join = append(join, part)
		}
	}
	if text, err := exec.CommandContext(ctx, "go", join...).CombinedOutput(); err != nil {
		return fmt.Errorf("the profiles cannot be joined (%w): %s", err, strings.TrimSpace(string(text)))
	}
	return nil
}
