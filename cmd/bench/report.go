package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
)

// appendReport writes the table of one input. Rates are those of the fastest round, which
// noise touched least; seconds are medians, and ratios medians of those within each round.
func appendReport(b []byte, g *generated, rows []row, samples [][]sample) []byte {
	b = fmt.Appendf(b, "\n%s: %s\n", filepath.Base(g.file), g.about)
	b = fmt.Appendf(b, "%d cores, %s %s/%s, input %s in %s packets, %d rounds\n\n",
		runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, formatSize(g.Bytes), thousands(g.Packets),
		len(samples[0]))
	const line = "%-20s %12s %7s %9s %7s %9s %7s %9s\n"
	b = fmt.Appendf(b, line, "row", "packets/s", "MB/s", "seconds", "ratio", "user s", "ratio", "peak MB")
	yardstick, yardstickUser := seconds(samples[0])
	for i, r := range rows {
		passed, user := seconds(samples[i])
		best := slices.Min(passed)
		b = fmt.Appendf(b, line, r.name,
			thousands(int64(float64(g.Packets)/best)), decimals(float64(g.Bytes)/best/1e6, 0),
			decimals(median(passed), 3), decimals(median(ratios(passed, yardstick)), 2),
			decimals(median(user), 3), decimals(median(ratios(user, yardstickUser)), 2), memory(peak(samples[i])))
	}
	return fmt.Appendf(b, "\nnoise: the slowest round of the %s took %s times as long as its fastest\n",
		rows[0].name, decimals(slices.Max(yardstick)/slices.Min(yardstick), 2))
}

func decimals(f float64, n int) string { return strconv.FormatFloat(f, 'f', n, 64) }

func memory(bytes int64) string {
	if bytes == 0 {
		return "unknown"
	}
	return decimals(float64(bytes)/1e6, 1)
}

// thousands writes a number with a comma after every third digit.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
