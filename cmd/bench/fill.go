package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// A page shows what this program printed: behind a line such as <!-- bench --input tribes --size 1GB --> stands a
// block of code with it.
const (
	shownBy = "<!-- bench "
	shown   = " -->"
	fence   = "```"
)

// fill runs the commands of a page that match a pattern, one process each, and writes what they print to the page.
// It is written after each command.
func fill(ctx context.Context, file, only string, progress *log.Logger) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("--only: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("this program cannot find itself: %w", err)
	}
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	commands := commandsOf(string(page))
	if len(commands) == 0 {
		return fmt.Errorf("%s has no line that begins with %q", file, shownBy)
	}
	for _, command := range commands {
		if !pattern.MatchString(command) {
			continue
		}
		progress.Printf("bench %s", command)
		var printed bytes.Buffer
		c := exec.CommandContext(ctx, self, strings.Fields(command)...)
		c.Stdout, c.Stderr = &printed, os.Stderr
		if err := c.Run(); err != nil {
			return fmt.Errorf("bench %s: %w", command, err)
		}
		next, err := filled(string(page), command, printed.String())
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		page = []byte(next)
		if err := os.WriteFile(file, page, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// commandsOf lists the commands of a page.
func commandsOf(page string) (list []string) {
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, shownBy) && strings.HasSuffix(line, shown) {
			list = append(list, strings.TrimSuffix(strings.TrimPrefix(line, shownBy), shown))
		}
	}
	return list
}

// filled gives a page with something else in the block of a command.
func filled(page, command, printed string) (string, error) {
	head := shownBy + command + shown + "\n" + fence + "\n"
	before, rest, ok := strings.Cut(page, head)
	if !ok {
		return page, fmt.Errorf("behind %q there is no block of code", shownBy+command+shown)
	}
	_, after, ok := strings.Cut("\n"+rest, "\n"+fence+"\n")
	if !ok {
		return page, fmt.Errorf("the block behind %q has no end", shownBy+command+shown)
	}
	return before + head + strings.Trim(printed, "\n") + "\n" + fence + "\n" + after, nil
}
