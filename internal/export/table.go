package export

import (
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
)

// A Creator creates the file of a table. path uses slashes: "tribes/MasterListReply.parquet". Close is called when the
// table is complete.
type Creator func(path string) (io.WriteCloser, error)

// A table is written in parts: its columns collect rows until flush writes them as a row group.
type table struct {
	plan
	path   string
	total  int64 // number of rows
	rows   int64 // number of rows not written yet
	memory int   // bytes of the rows not written yet, when last measured
	schema *parquet.Schema
	file   io.WriteCloser
	writer *parquet.GenericWriter[any] // nil: nothing has been written yet
}

// measure measures the memory of the rows that are not written yet. It returns the increase since the last call.
func (t *table) measure() (more int) {
	before := t.memory
	t.memory = 0
	for _, c := range t.columns {
		t.memory += c.memory
	}
	return t.memory - before
}

const (
	pageSize       = 256 << 10 // bytes of values before compression
	dictionarySize = 1 << 20   // bytes of distinct values in a column; with more, the column has no dictionary
	batchSize      = 1024      // number of values
)

func (t *table) begin(create Creator) (err error) {
	if t.writer != nil {
		return nil
	}
	if t.file, err = create(t.path); err != nil {
		return err
	}
	t.schema = parquet.NewSchema("gamedissect", structure{fields: t.nodes})
	options := []parquet.WriterOption{
		t.schema,
		parquet.Compression(codec), parquet.PageBufferSize(pageSize),
		parquet.DictionaryMaxBytes(dictionarySize), parquet.CreatedBy("gamedissect", "", ""),
		parquet.DataPageStatistics(false), // the column index has them, and each page would repeat them
	}
	for i, path := range t.schema.Columns() {
		if !t.columns[i].bounded() {
			options = append(options, parquet.SkipPageBounds(path...))
		}
	}
	t.writer = parquet.NewGenericWriter[any](t.file, options...)
	return nil
}

// flush writes the collected rows as a row group. It writes one column after another, so only one row group of one
// table uses large buffers at a time.
func (t *table) flush(create Creator) error {
	if err := t.begin(create); err != nil {
		return err
	}
	if t.rows == 0 {
		return nil
	}
	group := t.writer.BeginRowGroup()
	var values values
	for i, to := range group.ColumnWriters() {
		values.begin(t.columns[i], to, i)
		if err := t.columns[i].each(values.add); err != nil {
			return err
		}
		if err := values.flush(); err != nil {
			return err
		}
	}
	t.rows, t.memory = 0, 0
	_, err := group.Commit()
	return err
}

// close writes the remaining rows and completes the file.
func (t *table) close(create Creator) error {
	if err := t.flush(create); err != nil {
		return err
	}
	err := t.writer.Close()
	t.writer = nil
	if err != nil {
		return err
	}
	return t.file.Close()
}

// values passes the values of a column to Parquet. Each batch consists of whole rows.
type values struct {
	from  *column
	to    *parquet.ColumnWriter
	index int
	list  []parquet.Value
}

func (v *values) begin(from *column, to *parquet.ColumnWriter, index int) {
	v.from, v.to, v.index, v.list = from, to, index, v.list[:0]
}

// add adds a run. It does not copy the run's bytes.
func (v *values) add(r *run) error {
	one := v.value(r).Level(int(r.repeat), int(r.there), v.index)
	for range r.count {
		if len(v.list) >= batchSize && r.repeat == 0 {
			if err := v.flush(); err != nil {
				return err
			}
		}
		v.list = append(v.list, one)
	}
	return nil
}

func (v *values) value(r *run) parquet.Value {
	if r.there < v.from.there {
		return parquet.NullValue()
	}
	switch v.from.storage {
	case boolean:
		return parquet.BooleanValue(r.number != 0)
	case integer:
		return parquet.Int32Value(int32(r.number))
	case float:
		return parquet.FloatValue(math.Float32frombits(uint32(r.number)))
	case double:
		return parquet.DoubleValue(math.Float64frombits(r.number))
	case text, document, blob:
		return parquet.ByteArrayValue(r.bytes)
	}
	return parquet.Int64Value(int64(r.number))
}

func (v *values) flush() error {
	if len(v.list) == 0 {
		return nil
	}
	_, err := v.to.WriteRowValues(v.list)
	v.list = v.list[:0]
	return err
}
