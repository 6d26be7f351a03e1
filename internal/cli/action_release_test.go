package cli

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// TestActionRelease checks that the action downloads a release, runs only files that are in the list of checksums, and
// builds the program only if there is no release.
func TestActionRelease(t *testing.T) {
	for _, name := range []string{"bash", "curl", "sha256sum"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skip("there is no ", name)
		}
	}
	download := actionSteps(t)[0]
	folder := t.TempDir()
	const file = "gamedissect_darwin_arm64.tar.gz"
	archive := filepath.Join(folder, file)
	sum := writeArchive(t, archive)
	for _, c := range []struct {
		name, sums   string
		found, fails bool
	}{
		{"released", strings.Repeat("0", 64) + "  another\n" + sum + "  " + file + "\n", true, false},
		{"changed", strings.Repeat("0", 64) + "  " + file + "\n", false, true},
		{"not listed", sum + "  " + file + ".sig\n", false, true},
		{"not there", "", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case c.sums != "" && r.URL.Path == "/v1.2.3/checksums.txt":
					fmt.Fprint(w, c.sums)
				case c.sums != "" && r.URL.Path == "/v1.2.3/"+file:
					http.ServeFile(w, r, archive)
				default:
					http.NotFound(w, r)
				}
			}))
			defer server.Close()
			dir := t.TempDir()
			output := filepath.Join(dir, "output")
			run := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", download)
			run.Env = append(os.Environ(), "RUNNER_TEMP="+dir, "RUNNER_OS=macOS", "RUNNER_ARCH=ARM64",
				"GITHUB_OUTPUT="+output, "RELEASES="+server.URL, "TAG=v1.2.3")
			out, err := run.CombinedOutput()
			if (err != nil) != c.fails {
				t.Fatalf("%v\n%s", err, out)
			}
			_, noOutput := os.Stat(output)
			_, noProgram := os.Stat(filepath.Join(dir, "gamedissect"))
			if (noOutput == nil) != c.found || (noProgram == nil) != c.found {
				t.Errorf("output file: %v, program: %v\n%s", noOutput, noProgram, out)
			}
		})
	}
}

// writeArchive writes an archive with a program in it, and returns the archive's checksum.
func writeArchive(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Create(name)
	clitest.NoError(t, err)
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	clitest.NoError(t, w.WriteHeader(&tar.Header{Name: "gamedissect", Mode: 0o755}))
	for _, c := range []interface{ Close() error }{w, z, f} {
		clitest.NoError(t, c.Close())
	}
	data := clitest.ReadFile(t, name)
	return fmt.Sprintf("%x", sha256.Sum256(data))
}
