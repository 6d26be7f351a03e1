package tshark

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	script "github.com/gamedissect/gamedissect/internal/wireshark"
)

// TestWiresharkFolders covers systems with and without tshark, and versions before and since 4.2.
func TestWiresharkFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has only one folder")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	in := func(parts ...string) string { return filepath.Join(append([]string{home}, parts...)...) }
	lib, usual := in(".local/lib/wireshark/extcap"), in(".config/wireshark/extcap")
	for _, test := range []struct {
		name, listed string
		make         string
		xdg          string
		plugins      string
		extcap       []string
	}{
		{name: "without tshark", plugins: in(".local/lib/wireshark/plugins"), extcap: []string{lib, usual}},
		{name: "4.0", listed: "Personal configuration:\t" + in("c") + "\nPersonal Lua Plugins:\t" + in("p") + "\nExtcap path:\t/usr/x\n",
			plugins: in("p"), extcap: []string{lib, in("c/extcap")}},
		{name: "4.2", listed: "Personal configuration:\t" + in("c") + "\nPersonal Extcap path:\t" + in("e") + "\n",
			plugins: in(".local/lib/wireshark/plugins"), extcap: []string{in("e")}},
		{name: "XDG", xdg: in("x"), plugins: in(".local/lib/wireshark/plugins"), extcap: []string{lib, in("x/wireshark/extcap")}},
		{name: "old", make: ".wireshark", plugins: in(".local/lib/wireshark/plugins"), extcap: []string{lib, in(".wireshark/extcap")}},
	} {
		t.Setenv("XDG_CONFIG_HOME", test.xdg)
		if test.make != "" {
			clitest.NoError(t, os.Mkdir(in(test.make), 0o700))
		}
		w, err := usualFolders()
		clitest.NoError(t, err)
		if w = w.override(test.listed); w.plugins != test.plugins || !slices.Equal(w.extcap, test.extcap) {
			t.Errorf("%s: %+v", test.name, *w)
		}
	}
}

// The installed files quote the program's name for the program that reads them: a batch file, a shell, or Lua.
func TestWiresharkInstalledFiles(t *testing.T) {
	w := &folders{plugins: "p", extcap: []string{"e"}}
	for _, test := range []struct{ system, program, file, want string }{
		{"windows", `C:\100% of it\gamedissect.exe`, "e/gamedissect.bat", "if not exist \"C:\\100%% of it\\gamedissect.exe\" exit /b 0\r\n" +
			"\"C:\\100%% of it\\gamedissect.exe\" extcap %*\r\n"},
		{"darwin", "/it's/gamedissect", "e/gamedissect", `[ -x '/it'\''s/gamedissect' ] || exit 0` + "\n" +
			`exec '/it'\''s/gamedissect' extcap "$@"` + "\n"},
		{"linux", "/it's/\"\\", "p/gamedissect.lua", script.Stub("/it's/\"\\", `'/it'\''s/"\'`, filepath.FromSlash("p/gamedissect.lua"))},
	} {
		files := w.files(test.system, test.program)
		at := slices.IndexFunc(files, func(f installedFile) bool { return f.path == filepath.FromSlash(test.file) })
		if at < 0 || files[at].text != test.want {
			t.Errorf("%s: %+v, want %s with %q", test.system, files, test.file, test.want)
		}
	}
}
