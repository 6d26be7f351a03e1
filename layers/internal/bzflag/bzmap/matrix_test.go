package bzmap_test

import (
	"math"
	"testing"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

type vec = [3]float32

// near reports whether two points are equal within the precision of float32.
func near(a, b [3]float64) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= 1e-5) {
			return false
		}
	}
	return true
}

// then returns the matrix that applies m and then n.
func then(m, n bzmap.Matrix) bzmap.Matrix { return m.Then(&n) }

// TestMatrix transforms the point (1, 2, 3). The expected points were computed by hand. A quarter turn around an axis
// turns the next axis into the one after that. A third of a turn around (1, 1, 1) turns x into y, y into z, and z into
// x. For a unit vector u, half a turn around u takes p to 2(p.u)u - p, and any other turn takes p to p cos + (u x p)
// sin + u(u.p)(1 - cos).
func TestMatrix(t *testing.T) {
	id := bzmap.Identity()
	const turn = 2 * math.Pi
	shift := id.Shifted(vec{10, 20, 30})
	scale := id.Scaled(vec{2, 3, 4})
	quarter := id.Spun(turn/4, vec{0, 0, 1})
	for _, c := range []struct {
		name string
		m    bzmap.Matrix
		want [3]float64
	}{
		{"nothing", id, [3]float64{1, 2, 3}},
		{"shift", shift, [3]float64{11, 22, 33}},
		{"scale", scale, [3]float64{2, 6, 12}},
		{"shear of x", id.Sheared(vec{5, 0, 0}), [3]float64{16, 2, 3}},
		{"shear of y", id.Sheared(vec{0, 5, 0}), [3]float64{1, 17, 3}},
		{"shear of z", id.Sheared(vec{0, 0, 5}), [3]float64{1, 2, 8}},
		{"shear of all", id.Sheared(vec{1, 2, 3}), [3]float64{4, 8, 6}},
		{"around x", id.Spun(turn/4, vec{5, 0, 0}), [3]float64{1, -3, 2}},
		{"around y", id.Spun(turn/4, vec{0, 5, 0}), [3]float64{3, 2, -1}},
		{"around z", id.Spun(turn/4, vec{0, 0, 5}), [3]float64{-2, 1, 3}},
		{"around -z", id.Spun(turn/4, vec{0, 0, -5}), [3]float64{2, -1, 3}},
		{"back around z", id.Spun(-turn/4, vec{0, 0, 5}), [3]float64{2, -1, 3}},
		{"a third around all", id.Spun(turn/3, vec{1, 1, 1}), [3]float64{3, 1, 2}},
		{"half around (0, 3, 4)", id.Spun(turn/2, vec{0, 3, 4}), [3]float64{-1, 2.32, 2.76}},
		{"a sixth around (2, 3, 6)", id.Spun(turn/6, vec{2, 3, 6}), [3]float64{0.6594585, 1.7959184, 3.2155546}},
		{"around nothing", id.Spun(turn/4, vec{}), [3]float64{1, 2, 3}},
		{"around an invalid axis", id.Spun(turn/4, vec{float32(math.NaN()), 0, 0}), [3]float64{1, 2, 3}},
		{"shifted, then scaled", shift.Scaled(vec{2, 3, 4}), [3]float64{22, 66, 132}},
		{"scaled, then shifted", scale.Shifted(vec{10, 20, 30}), [3]float64{12, 26, 42}},
		{"shifted, then sheared", shift.Sheared(vec{1, 2, 3}), [3]float64{44, 88, 66}},
		{"shifted, then turned", shift.Spun(turn/4, vec{0, 0, 1}), [3]float64{-22, 11, 33}},
		{"turned, then shifted", quarter.Shifted(vec{10, 20, 30}), [3]float64{8, 21, 33}},
		{"one after the other", then(shift, then(quarter, scale)), [3]float64{-44, 33, 132}},
		{"the reverse order", then(scale, then(quarter, shift)), [3]float64{4, 22, 42}},
		{"placed", bzmap.At(vec{10, 0, 0}, turn/4, id), [3]float64{8, 1, 3}},
		{"placed, then turned", bzmap.At(vec{10, 0, 0}, 0, quarter), [3]float64{-2, 11, 3}},
		{"turned and placed, then scaled", bzmap.At(vec{10, 20, 30}, turn/4, scale), [3]float64{16, 63, 132}},
	} {
		if got := c.m.Apply([3]float64{1, 2, 3}); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDegrees(t *testing.T) {
	for radians, want := range map[float32]float64{0: 0, math.Pi: 180, math.Pi / 2: 90, -math.Pi / 4: -45, 1: 57.295779, 4 * math.Pi: 720} {
		if got := bzmap.Degrees(radians); math.Abs(float64(got)-want) > 1e-4 {
			t.Errorf("%v radians: %v degrees, want %v", radians, got, want)
		}
	}
}
