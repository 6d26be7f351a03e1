package export_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/export"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

// TestForms checks that each field of each message has the same values in its table as in JSON.
func TestForms(t *testing.T) {
	for _, name := range captures(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			disk := make(memory)
			e := export.New(export.Options{Create: disk.create})
			fields := make(map[string][][]byte)
			engine := decode.New(decode.Options{Protocols: layers.All(), Message: func(m *decode.Message) {
				e.Message(m)
				table := m.Protocol.Name + "/" + m.Name
				fields[table] = append(fields[table], (&format.JSON{Tree: m.Tree()}).AppendFields(nil))
			}})
			for _, f := range testcapture.Frames(t, name) {
				engine.Frame(&f)
			}
			engine.Close()
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			for table, messages := range fields {
				compareTable(t, table, disk[table+".parquet"].Bytes(), messages)
			}
		})
	}
}

func compareTable(t *testing.T, table string, data []byte, messages [][]byte) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	columns, at := columnsOf(f.Schema()), 0
	for _, group := range f.RowGroups() {
		rows := group.Rows()
		for room := make([]parquet.Row, 64); ; {
			n, err := rows.ReadRows(room)
			for _, row := range room[:n] {
				want := testcapture.Values(t, messages[at])
				if got := valuesOf(t, columns, row, want); !reflect.DeepEqual(got, want) {
					t.Fatalf("row %d of %s (-json +table):\n%s", at, table, cmp.Diff(want, got))
				}
				at++
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		_ = rows.Close()
	}
}

// A leaf is a column for fields of messages.
type leaf struct{ name, logical string }

// columnsOf returns the columns of a table. Columns that belong to no field have no names.
func columnsOf(schema *parquet.Schema) (columns []leaf) {
	for _, path := range schema.Columns() {
		column, _ := schema.Lookup(path...)
		var l leaf
		if path[0] == "fields" {
			l.name = strings.ReplaceAll(strings.Join(path[1:], "."), ".list.element", "")
		}
		if logical := column.Node.Type().LogicalType(); logical != nil {
			l.logical = logical.String()
		}
		columns = append(columns, l)
	}
	return columns
}

// valuesOf returns the values in the fields of a row, under their names in JSON.
func valuesOf(t *testing.T, columns []leaf, row parquet.Row, inJSON map[string][]string) map[string][]string {
	t.Helper()
	values := make(map[string][]string)
	row.Range(func(column int, list []parquet.Value) bool {
		name, logical := columns[column].name, columns[column].logical
		if name == "" {
			return true
		}
		if base, axis, ok := cutAxis(name); ok && inJSON[name] == nil {
			placeAxis(values, base, axis, list)
			return true
		}
		for _, v := range list {
			switch text := textOf(logical, v); {
			case v.IsNull():
			case inJSON[name] == nil && (strings.HasSuffix(name, "_hex") || strings.HasSuffix(name, "_not_shown")):
			case inJSON[name] == nil && (text[0] == '{' || text[0] == '['):
				for below, inside := range testcapture.Values(t, []byte(text)) {
					values[strings.TrimSuffix(name+"."+below, ".")] = inside
				}
			default:
				values[name] = append(values[name], text)
			}
		}
		return true
	})
	return values
}

// cutAxis cuts the axis off the name of a vector's column.
func cutAxis(name string) (base string, axis int, ok bool) {
	dot := strings.LastIndexByte(name, '.')
	axis = strings.Index(".x.y.z", name[max(dot, 0):])
	return name[:max(dot, 0)], axis / 2, dot > 0 && axis >= 0 && len(name) == dot+2
}

// placeAxis inserts the numbers of one axis between those of the other axes.
func placeAxis(values map[string][]string, base string, axis int, list []parquet.Value) {
	for i, v := range slices.DeleteFunc(slices.Clone(list), parquet.Value.IsNull) {
		for len(values[base]) < 3*(i+1) {
			values[base] = append(values[base], "")
		}
		values[base][3*i+axis] = textOf("", v)
	}
}

// textOf returns the text of a value in JSON.
func textOf(logical string, v parquet.Value) string {
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.FormatBool(v.Boolean())
	case parquet.Int32:
		return strconv.Itoa(int(v.Int32()))
	case parquet.Int64:
		if strings.Contains(logical, "false") {
			return strconv.FormatUint(v.Uint64(), 10)
		}
		return strconv.FormatInt(v.Int64(), 10)
	case parquet.Float:
		return string(format.AppendFloat(nil, v.Float()))
	}
	if logical == "" {
		return hex.EncodeToString(v.ByteArray())
	}
	return string(v.ByteArray())
}
