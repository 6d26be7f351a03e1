package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// wantMeasured returns the rows of a tracker's table, made from its values.
func wantMeasured(r *recorded, protocol, table string) (rows [][]any) {
	var list []wire.Value
	for _, v := range r.values {
		if v.Protocol.Name == protocol && v.Table == table {
			list = append(list, v)
		}
	}
	_, all := grouped(list, func(v *wire.Value) stats.RowKey { return stats.RowKey{Server: v.Server, Who: v.Who, Whom: v.Whom} })
	of := find(r.Protocols, protocol).Table(table)
	isPair := slices.ContainsFunc(list, func(v wire.Value) bool { return v.Whom != "" })
	for _, k := range slices.SortedFunc(maps.Keys(all), func(x, y stats.RowKey) int {
		most := 0
		if isPair {
			most = cmp.Compare(sum(all[y], of.Columns[0]), sum(all[x], of.Columns[0]))
		}
		return cmp.Or(most, x.Server.Compare(y.Server), stats.CompareNames(x.Who, y.Who), stats.CompareNames(x.Whom, y.Whom))
	}) {
		row := []any{protocol, ifAny(k.Server), k.Who}
		if isPair {
			row = append(row, k.Whom)
		}
		for i, what := range slices.Concat(of.Columns, of.Steps) {
			whole, isShare := of.Shares[what]
			has := func(list []wire.Value, what string) bool {
				return slices.ContainsFunc(list, func(v wire.Value) bool { return v.What == what })
			}
			switch {
			case isShare && has(list, whole):
				row = append(row, wantShare(all[k], what, whole))
			case has(list, what):
				row = append(row, wantSeries(r, list, all[k], what, i >= len(of.Columns))...)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// wantShare returns the cell of a count that is a share of another count.
func wantShare(of []*wire.Value, what, whole string) any {
	if !slices.ContainsFunc(of, func(v *wire.Value) bool { return v.What == whole }) {
		return ""
	}
	return fmt.Sprint(sum(of, what))
}

func sum(list []*wire.Value, what string) (n float64) {
	for _, v := range list {
		if v.What == what {
			n += v.Number
		}
	}
	return n
}

// wantSeries returns the cells with the values of one subject. list has the values of all subjects.
func wantSeries(r *recorded, list []wire.Value, of []*wire.Value, what string, step bool) []any {
	at := slices.IndexFunc(list, func(v wire.Value) bool { return v.What == what })
	state, unit := list[at].State, list[at].Unit
	var met []*wire.Value
	var numbers []float64
	for _, v := range of {
		if v.What == what {
			met, numbers = append(met, v), append(numbers, v.Number)
		}
	}
	switch {
	case state && what == "players":
		if met == nil {
			return []any{"", ""}
		}
		now, limit, _ := strings.Cut(met[len(met)-1].Text, "/")
		return []any{now, limit}
	case len(met) == 0 && !state && unit != "":
		return []any{"", "", "", "", ""}
	case len(met) == 0:
		return []any{""}
	case step:
		return []any{inSeconds(met[0].Time - r.First)}
	case state:
		return []any{met[len(met)-1].Text}
	case unit == "":
		return []any{fmt.Sprint(sum(of, what))}
	}
	return []any{len(met), quantile(numbers, 0.5), quantile(numbers, 0.9), quantile(numbers, 0.99), quantile(numbers, 1)}
}
