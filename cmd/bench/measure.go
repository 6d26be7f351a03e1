package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A sample is one run of a row.
type sample struct {
	seconds float64
	user    float64 // seconds of processors in the program itself, not in the system
	peak    int64   // bytes of memory; 0: not known
}

// A meter runs rows in turns.
type meter struct {
	rows     []row
	programs programs
	file     string
	rounds   int
	progress *log.Logger
	samples  [][]sample // of each row, one a round
}

// measure runs all rounds. The first one is not timed: it brings the capture into the page
// cache, and shows early whether all rows work.
func (m *meter) measure(ctx context.Context) error {
	m.samples = make([][]sample, len(m.rows))
	for round := range m.rounds + 1 {
		if round == 0 {
			m.progress.Print("warming up")
		} else {
			m.progress.Printf("round %d of %d", round, m.rounds)
		}
		for i, r := range m.rows {
			s, err := runOnce(ctx, r.command(m.programs, m.file))
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			if round > 0 {
				m.samples[i] = append(m.samples[i], s)
			}
		}
	}
	return nil
}

// runOnce runs a command, with its output thrown away by the system, and ends it when the
// context is done.
func runOnce(ctx context.Context, command []string) (s sample, err error) {
	var trouble bytes.Buffer
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stderr = &trouble
	start := time.Now()
	err = c.Run()
	s.seconds = time.Since(start).Seconds()
	if err != nil {
		return s, fmt.Errorf("%w: %s", err, strings.TrimSpace(trouble.String()))
	}
	s.user = c.ProcessState.UserTime().Seconds()
	s.peak, _ = peakMemory(c.ProcessState)
	return s, nil
}

// median gives the middle value, or the mean of the two middle ones.
func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// ratios divides the seconds of a row by those of the yardstick in the same round.
func ratios(of, yardstick []float64) []float64 {
	v := make([]float64, len(of))
	for i := range of {
		v[i] = of[i] / yardstick[i]
	}
	return v
}

// seconds gives the times alone: those that passed, and those of processors.
func seconds(samples []sample) (passed, user []float64) {
	for _, s := range samples {
		passed, user = append(passed, s.seconds), append(user, s.user)
	}
	return passed, user
}

// peak gives the most memory of all runs.
func peak(samples []sample) int64 {
	return slices.MaxFunc(samples, func(a, b sample) int { return cmp.Compare(a.peak, b.peak) }).peak
}
