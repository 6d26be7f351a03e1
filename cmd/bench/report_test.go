package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

func TestReport(t *testing.T) {
	g := &generated{Bytes: 200e6, Packets: 600e3, file: "/x/tribes.pcap", about: "a master"}
	samples := [][]sample{
		{{0.1, 0.08, 0}, {0.2, 0.08, 0}, {0.1, 0.08, 0}},
		{{0.5, 0.8, 20e6}, {0.6, 0.4, 21.5e6}, {0.4, 0.88, 19e6}}, // 5, 3 and 4 times the yardstick; 10, 5 and 11
	}
	got := string(appendReport(nil, g, rows[:2], samples))
	for _, want := range []string{
		"tribes.pcap: a master\n",
		"input 200 MB in 600,000 packets, 3 rounds\n",
		"bare loop               6,000,000    2000     0.100    1.00     0.080    1.00   unknown\n",
		"gamedissect -q          1,500,000     500     0.500    4.00     0.800   10.00      21.5\n",
		"noise: the slowest round of the bare loop took 2.00 times as long as its fastest\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no line %q in\n%s", want, got)
		}
	}
}

func TestMedian(t *testing.T) {
	if odd, even := median([]float64{9, 1, 2}), median([]float64{4, 1, 2, 9}); odd != 2 || even != 3 {
		t.Errorf("medians are %v and %v, want 2 and 3", odd, even)
	}
}

// TestMain lets the test be the process that is measured.
func TestMain(m *testing.M) {
	switch os.Getenv("BENCH_TEST") {
	case "fails":
		_, _ = os.Stderr.WriteString("no such thing\n")
		os.Exit(2)
	case "hangs":
		time.Sleep(time.Minute)
	}
	os.Exit(m.Run())
}

func meterOfSelf(t *testing.T) *meter {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := row{name: "self", command: func(p programs, file string) []string { return []string{p.self, "-test.run=^$", file} }}
	return &meter{rows: []row{r, r}, programs: programs{self: self}, rounds: 2, progress: quiet}
}

func TestMeasure(t *testing.T) {
	m := meterOfSelf(t)
	if err := m.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, s := range m.samples {
		if len(s) != m.rounds || s[0].seconds <= 0 || s[0].user < 0 {
			t.Errorf("samples are %v", s)
		}
		if _, known := freeSpace("."); known && peak(s) < 1e6 {
			t.Errorf("the peak of memory is %d bytes", peak(s))
		}
	}
}

func TestMeasureFailure(t *testing.T) {
	t.Setenv("BENCH_TEST", "fails")
	if err := meterOfSelf(t).measure(t.Context()); err == nil || !strings.Contains(err.Error(), "self: exit status 2: no such thing") {
		t.Errorf("a row that fails: %v", err)
	}
}

func TestMeasureInterrupted(t *testing.T) {
	t.Setenv("BENCH_TEST", "hangs")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	err := meterOfSelf(t).measure(ctx)
	if err == nil || time.Since(start) > 30*time.Second {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
}

func TestBareLoop(t *testing.T) {
	s := &store{dir: t.TempDir(), size: minSize, progress: quiet}
	runs := 0
	g, err := s.get(t.Context(), counted(&runs))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := bareLoop(g.file, &out); err != nil || out.String() != thousands(g.Packets)+" packets\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if err := os.Truncate(g.file, 2000); err != nil {
		t.Fatal(err)
	}
	if err := bareLoop(g.file, io.Discard); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a cut file: %v", err)
	}
}
