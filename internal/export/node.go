package export

import (
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// structure is a group that keeps the order of its fields. parquet.Group sorts them by name.
type structure struct {
	parquet.Group
	fields []parquet.Field
}

func (s structure) Fields() []parquet.Field { return s.fields }

type named struct {
	parquet.Node
	name string
}

func (n named) Name() string { return n.name }

// Value implements parquet.Field. Tables do not use it.
func (named) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// nodeOf returns the Parquet type of a column, with the encoding that takes least room.
func nodeOf(s storage) parquet.Node {
	switch s {
	case boolean:
		return parquet.Leaf(parquet.BooleanType)
	case integer:
		return parquet.Encoded(parquet.Int(32), &parquet.RLEDictionary)
	case long:
		return parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked)
	case unsigned:
		return parquet.Encoded(parquet.Uint(64), &parquet.DeltaBinaryPacked)
	case float:
		return parquet.Compressed(parquet.Leaf(parquet.FloatType), closely)
	case double:
		return parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.RLEDictionary)
	case moment: // no zone: DuckDB truncates times with a zone to microseconds, and shows them in the local zone
		return parquet.Encoded(parquet.TimestampAdjusted(parquet.Nanosecond, false), &parquet.DeltaBinaryPacked)
	case blob:
		return parquet.Encoded(parquet.Leaf(parquet.ByteArrayType), &parquet.RLEDictionary)
	}
	return parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
}
