package cli

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// A duckdb is a running DuckDB. It reads tables independently of this program.
type duckdb struct {
	t       *testing.T
	queries io.WriteCloser
	answers *bufio.Reader
}

// answer is the result of a query.
type answer struct {
	Columns []string
	Rows    [][]any
	Error   string
}

// newDuckDB starts DuckDB. GAMEDISSECT_DUCKDB is the folder in which npm has installed @duckdb/node-api. If it is not
// set, the test is skipped.
func newDuckDB(t *testing.T) *duckdb {
	t.Helper()
	dir := os.Getenv("GAMEDISSECT_DUCKDB")
	if dir == "" {
		leftOut.Store("GAMEDISSECT_DUCKDB", true)
		t.Skip("GAMEDISSECT_DUCKDB does not name a folder with @duckdb/node-api")
	}
	dir, err := filepath.Abs(dir)
	clitest.NoError(t, err)
	c := exec.Command("node", filepath.Join("testdata", "duckdb.cjs"), dir)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	clitest.NoError(t, err)
	out, err := c.StdoutPipe()
	clitest.NoError(t, err)
	clitest.NoError(t, c.Start())
	t.Cleanup(func() {
		_ = in.Close()
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &duckdb{t, in, bufio.NewReaderSize(out, 1<<20)}
}

// query runs a query.
func (d *duckdb) query(q string) answer {
	d.t.Helper()
	line, err := json.Marshal(q)
	if err == nil {
		_, err = d.queries.Write(append(line, '\n'))
	}
	var text []byte
	if err == nil {
		text, err = d.answers.ReadBytes('\n')
	}
	var a answer
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		d.t.Fatalf("%s: %v", q, err)
	}
	if a.Error != "" {
		d.t.Fatalf("%s\n%s", q, a.Error)
	}
	return a
}

// rows returns the rows of a table as JSON objects without null members.
func (d *duckdb) rows(path string) (list []map[string]any) {
	d.t.Helper()
	for _, row := range d.query("SELECT to_json(t) FROM read_parquet('" + path + "') t").Rows {
		list = append(list, decodeRow(d.t, row[0].(string)))
	}
	return list
}

// noNumber matches what DuckDB writes for numbers that JSON cannot express.
var noNumber = regexp.MustCompile(`([:\[,])(NaN|-?Infinity)([,}\]])`)

func decodeRow(t *testing.T, text string) map[string]any {
	t.Helper()
	var row map[string]any
	if err := json.Unmarshal([]byte(text), &row); err != nil {
		for range 2 { // twice, because neighbours share a comma
			text = noNumber.ReplaceAllString(text, `$1"$2"$3`)
		}
		if err := json.Unmarshal([]byte(text), &row); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return withoutNulls(row).(map[string]any)
}

// withoutNulls removes null members from objects. A null element of a list stands for a value that could not be read.
// In JSON it is an object without fields.
func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			if x == nil {
				delete(v, name)
			} else {
				v[name] = withoutNulls(x)
			}
		}
	case []any:
		for i, x := range v {
			if x == nil {
				v[i] = map[string]any{}
			} else {
				v[i] = withoutNulls(x)
			}
		}
	}
	return v
}

// sameValue compares a value of -T json with the value in a table. It returns "" if they are equal, otherwise where
// they differ.
func sameValue(path string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		return sameObject(path, w, got)
	case []any:
		if g, ok := got.(map[string]any); ok && len(w) == 3 { // a vector
			got = []any{g["x"], g["y"], g["z"]}
		}
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			break
		}
		for i := range w {
			if bad := sameValue(fmt.Sprintf("%s[%d]", path, i), w[i], g[i]); bad != "" {
				return bad
			}
		}
		return ""
	case float64:
		if g, ok := got.(float64); ok && (w == g || float32(w) == float32(g) && float64(float32(g)) == g) {
			return ""
		}
	case string:
		if g, ok := got.(string); ok && (g == w || hexOfBlob(g) == w) {
			return ""
		}
	default:
		if reflect.DeepEqual(want, got) {
			return ""
		}
	}
	return fmt.Sprintf("%s is %v, in the table %v", path, want, got)
}

func sameObject(path string, w map[string]any, got any) string {
	if text, ok := got.(string); ok { // an object whose keys come from the message, as JSON text
		var parsed any
		if json.Unmarshal([]byte(text), &parsed) == nil && reflect.DeepEqual(parsed, any(w)) {
			return ""
		}
	}
	g, ok := got.(map[string]any)
	if !ok {
		return fmt.Sprintf("%s is %v, in the table %v", path, w, got)
	}
	for name := range g {
		if _, ok := w[name]; !ok {
			return fmt.Sprintf("%s.%s is %v in the table, but not in JSON", path, name, g[name])
		}
	}
	for name := range w {
		if bad := sameValue(path+"."+name, w[name], g[name]); bad != "" {
			return bad
		}
	}
	return ""
}

// hexOfBlob returns the hexadecimal form of a blob that DuckDB writes as printable letters and escapes.
func hexOfBlob(text string) string {
	var b []byte
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+3 < len(text) {
			n, err := strconv.ParseUint(text[i+2:i+4], 16, 8)
			if err != nil {
				return "no blob"
			}
			b, i = append(b, byte(n)), i+3
			continue
		}
		b = append(b, text[i])
	}
	return hex.EncodeToString(b)
}

// asJSON converts a row of a table to the object that -T json prints.
func asJSON(t *testing.T, row map[string]any, forMessage bool) map[string]any {
	t.Helper()
	for _, name := range []string{"src", "dst"} {
		if port, ok := row[name+"_port"].(float64); ok {
			host := row[name].(string)
			if strings.Contains(host, ":") {
				host = "[" + host + "]"
			}
			row[name] = host + ":" + strconv.Itoa(int(port))
		}
		delete(row, name+"_port")
	}
	at, err := time.Parse("2006-01-02 15:04:05.999999999", row["time"].(string))
	clitest.NoError(t, err)
	row["time"] = at.Format("2006-01-02T15:04:05.000000000Z")
	for _, name := range []string{"number", "file", "server", "players", "copy", "title"} {
		delete(row, name)
	}
	if list, ok := row["findings"].([]any); forMessage && ok && len(list) == 0 {
		delete(row, "findings")
	}
	return row
}

// TestTablesAreJSON compares the tables of every capture, as another program reads them, with the output of -T json and
// with the counts and values of this program's statistics.
func TestTablesAreJSON(t *testing.T) {
	d := newDuckDB(t)
	for _, name := range files(t) {
		file := filepath.Join(clitest.Captures, name)
		dir := exported(t, file)
		compareMessages(t, d, file, dir)
		compareValues(t, d, file, dir)
	}
}

// TestTablesOfHostileTexts checks that names with NUL, quotes and invalid UTF-8 stay complete.
func TestTablesOfHostileTexts(t *testing.T) {
	d := newDuckDB(t)
	for _, file := range []string{
		renamed(t, "bz24-ctf-players.pcap", "erin", "\x00\"\x1b'", "frank", "\xff\u202e\\"),
		renamed(t, "bz17-c-violations.pcap", "Bad again", "\xc3\\n\r\t{]}\x7f"),
	} {
		compareMessages(t, d, file, exported(t, file))
	}
}

// exported returns a folder with the tables of a capture.
func exported(t *testing.T, file string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "tables")
	_, stderr, code := dissect("export", "-r", file, "-o", dir)
	if _, _, want := dissect("-r", file, "-q", "-z", "findings"); code != want {
		t.Errorf("%s: exit code %d, without export %d: %s", file, code, want, stderr)
	}
	return dir
}

// compareMessages compares the messages and findings in tables with those of -T json.
func compareMessages(t *testing.T, d *duckdb, file, dir string) {
	t.Helper()
	wantMessages, wantFindings := jsonLines(t, file)
	messages, findings := readTables(t, d, dir)
	if len(messages) != len(wantMessages) || len(findings) != len(wantFindings) {
		t.Errorf("%s: %d messages and %d findings without a message, want %d and %d", file, len(messages), len(findings),
			len(wantMessages), len(wantFindings))
		return
	}
	for i, want := range wantMessages {
		if bad := sameValue("message", want, messages[i]); bad != "" {
			t.Errorf("%s: message %d: %s", file, i+1, bad)
			break
		}
	}
	for i, want := range wantFindings {
		if bad := sameValue("finding", want, findings[i]); bad != "" {
			t.Errorf("%s: finding %d without a message: %s", file, i+1, bad)
			break
		}
	}
}

// jsonLines reads the output of -T json: messages, and findings that belong to no message.
func jsonLines(t *testing.T, file string) (messages, findings []map[string]any) {
	t.Helper()
	out, _, _ := dissect("-r", file, "-T", "json")
	for line := range strings.Lines(out) {
		var object map[string]any
		clitest.NoError(t, json.Unmarshal([]byte(line), &object))
		if f, ok := object["finding"]; ok {
			findings = append(findings, f.(map[string]any))
		} else {
			messages = append(messages, object)
		}
	}
	return messages, findings
}

// readTables reads all tables of a folder. It converts them to the objects of -T json, in the order of the messages.
func readTables(t *testing.T, d *duckdb, dir string) (messages, findings []map[string]any) {
	t.Helper()
	tables, err := filepath.Glob(filepath.Join(dir, "*", "*.parquet"))
	clitest.NoError(t, err)
	for _, path := range tables {
		messages = append(messages, d.rows(path)...)
	}
	slices.SortFunc(messages, func(a, b map[string]any) int { return int(a["number"].(float64) - b["number"].(float64)) })
	for i, row := range messages {
		if row["number"] != float64(i+1) {
			t.Fatalf("message %d has the number %v", i+1, row["number"])
		}
		messages[i] = asJSON(t, row, true)
	}
	for _, row := range d.rows(filepath.Join(dir, "findings.parquet")) {
		if row["number"] == nil {
			findings = append(findings, asJSON(t, row, false))
		}
	}
	return messages, findings
}
