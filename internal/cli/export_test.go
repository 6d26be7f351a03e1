package cli

import (
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// onDays writes a file with one copy of a capture for each day. The packets of a copy have times on that day. Days are
// counted from 1970.
func onDays(t *testing.T, name string, days ...uint32) (file string) {
	t.Helper()
	data := clitest.ReadFile(t, filepath.Join(clitest.Captures, name))
	const fileHeader, packetHeader, aDay = 24, 16, 24 * 60 * 60
	all := slices.Clone(data[:fileHeader])
	for _, day := range days {
		for at := fileHeader; at < len(data); {
			time, size := data[at:at+4], binary.LittleEndian.Uint32(data[at+8:])
			binary.LittleEndian.PutUint32(time, binary.LittleEndian.Uint32(time)%aDay+day*aDay)
			at += packetHeader + int(size)
		}
		all = append(all, data[fileHeader:]...)
	}
	file = filepath.Join(t.TempDir(), "days.pcap")
	clitest.NoError(t, os.WriteFile(file, all, 0o600))
	return file
}

// TestExportByDay exports the first and the last day that a capture file can express, and a day that occurs twice.
func TestExportByDay(t *testing.T) {
	wiretest.WithoutDetector(t)
	const first, last = 0, 49709 // days that 32 bits of seconds can express
	file := onDays(t, "bz24-query.pcap", first, first+1, last, first)
	dir := filepath.Join(t.TempDir(), "tables")
	export := []string{"export", "-r", file, "-o", dir, "--partition", "day"}
	_, stderr, code := dissect(export...)
	if code != term.ExitDone || !strings.Contains(stderr, "came after its tables were written (1 time)") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	want := []string{
		"day=1970-01-01/again-2/conversations.parquet", "day=1970-01-01/conversations.parquet",
		"day=1970-01-02/conversations.parquet", "day=2106-02-06/conversations.parquet",
	}
	if found := below(t, dir, "conversations.parquet"); !slices.Equal(found, want) {
		t.Errorf("there are %q, want %q", found, want)
	}
	if _, stderr, code = dissect(export...); code == term.ExitDone {
		t.Errorf("tables are mixed with others: %s", stderr)
	}
	others := filepath.Join(dir, "mine", "others.parquet")
	clitest.NoError(t, os.Mkdir(filepath.Dir(others), 0o700))
	clitest.NoError(t, os.WriteFile(others, nil, 0o600))
	if _, stderr, code = dissect("export", "-r", file, "-o", dir, "--overwrite"); code != term.ExitDone {
		t.Error(stderr)
	}
	want = []string{"conversations.parquet"}
	if found := below(t, dir, "conversations.parquet"); !slices.Equal(found, want) {
		t.Errorf("there are %q, want %q", found, want)
	}
	if _, err := os.Stat(others); err != nil {
		t.Errorf("a file of another program is gone: %v", err)
	}
}

// below lists the files called name in a folder and its subfolders, as paths relative to the folder.
func below(t *testing.T, dir, name string) (paths []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == name {
			paths = append(paths, path)
		}
		return err
	})
	clitest.NoError(t, err)
	return paths
}

// TestExportOfCutFile checks that no day occurs twice for a truncated file, although the finding about the truncation
// comes only after all files have been read.
func TestExportOfCutFile(t *testing.T) {
	wiretest.WithoutDetector(t)
	cut, whole := onDays(t, "bz24-query.pcap", 0), onDays(t, "bz24-query.pcap", 1, 2, 3)
	data := clitest.ReadFile(t, cut)
	clitest.NoError(t, os.WriteFile(cut, data[:len(data)-1], 0o600))
	dir := filepath.Join(t.TempDir(), "tables")
	_, stderr, code := dissect("export", "-r", cut, "-r", whole, "-o", dir, "--partition", "day")
	if code != term.ExitTrouble || !strings.Contains(stderr, "ends inside") || strings.Contains(stderr, "again") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if found := below(t, dir, "findings.parquet"); len(found) != 4 {
		t.Errorf("there are %q", found)
	}
}
