package export_test

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/export"
)

// happened exports an event at each of the times.
func happened(times ...int64) (disk memory, err error) {
	disk = make(memory)
	e := export.New(export.Options{Create: disk.create, ByDay: true})
	for _, at := range times {
		e.Value(&wire.Value{Place: wire.Place{Time: at}, What: "join", Event: true})
	}
	return disk, e.Close()
}

// TestDays checks that every time has a day, even the smallest and the largest time. If the tables of an event's day
// are already written, the event goes to the current day.
func TestDays(t *testing.T) {
	const day = int64(24 * time.Hour)
	disk, err := happened(0, -1, day-1, day, math.MaxUint32*int64(time.Second), math.MinInt64, math.MaxInt64, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, path := range slices.Sorted(maps.Keys(disk)) {
		if strings.Contains(path, "values") && disk.rows(t, path) > 0 {
			got = append(got, path)
		}
	}
	want := []string{
		"day=1677-09-22/values.parquet", "day=1969-12-31/values.parquet", "day=1970-01-01/values.parquet", "day=1970-01-02/values.parquet", "day=2106-02-07/values.parquet",
		"day=2262-04-11/values.parquet",
	}
	if !slices.Equal(got, want) {
		t.Errorf("there are\n%q, want\n%q", got, want)
	}
}

// TestTooManyDays checks that wrong times do not fill a disk with folders.
func TestTooManyDays(t *testing.T) {
	const days = 30
	disk := make(memory)
	e := export.New(export.Options{Create: disk.create, ByDay: true})
	e.LeaveDays(days)
	for i := range int64(2 * days) {
		e.Value(&wire.Value{Place: wire.Place{Time: i * int64(24*time.Hour)}, What: "join", Event: true})
	}
	if err := e.Close(); err == nil || !strings.Contains(err.Error(), "times are wrong") || len(disk) > 4*days || len(disk) < 2*days {
		t.Errorf("%d files, %v", len(disk), err)
	}
}
