package bzmap

import "math"

// Matrix is an affine transformation of points. It has three rows and four columns. The fourth column is the vector
// that is added to the point.
type Matrix [3][4]float64

// Identity returns the matrix that does not change points.
func Identity() Matrix { return Matrix{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}} }

// Apply returns the image of a point.
func (m *Matrix) Apply(p [3]float64) (q [3]float64) {
	for i := range q {
		q[i] = m[i][0]*p[0] + m[i][1]*p[1] + m[i][2]*p[2] + m[i][3]
	}
	return q
}

// Then returns the matrix that applies m first and then n.
func (m *Matrix) Then(n *Matrix) (r Matrix) {
	for i := range r {
		for j := range r[i] {
			for k := range 3 {
				r[i][j] += n[i][k] * m[k][j]
			}
		}
		r[i][3] += n[i][3]
	}
	return r
}

// Shifted returns a matrix that applies m and then adds v.
func (m *Matrix) Shifted(v [3]float32) Matrix {
	n := Identity()
	for i := range n {
		n[i][3] = float64(v[i])
	}
	return m.Then(&n)
}

// Scaled returns a matrix that applies m and then scales along the axes.
func (m *Matrix) Scaled(v [3]float32) Matrix {
	n := Identity()
	for i := range n {
		n[i][i] = float64(v[i])
	}
	return m.Then(&n)
}

// Sheared returns a matrix that applies m and then shears: it adds v[0]*z to x, v[1]*z to y, and v[2]*x to z.
func (m *Matrix) Sheared(v [3]float32) Matrix {
	n := Identity()
	n[0][2], n[1][2], n[2][0] = float64(v[0]), float64(v[1]), float64(v[2])
	return m.Then(&n)
}

// Spun returns a matrix that applies m and then turns by an angle in radians around an axis.
func (m *Matrix) Spun(angle float32, axis [3]float32) Matrix {
	x, y, z := float64(axis[0]), float64(axis[1]), float64(axis[2])
	size := math.Sqrt(x*x + y*y + z*z)
	if !(size > 0) {
		return *m
	}
	x, y, z = x/size, y/size, z/size
	sin, cos := math.Sincos(float64(angle))
	k := 1 - cos
	n := Matrix{
		{cos + x*x*k, x*y*k - z*sin, x*z*k + y*sin, 0},
		{y*x*k + z*sin, cos + y*y*k, y*z*k - x*sin, 0},
		{z*x*k - y*sin, z*y*k + x*sin, cos + z*z*k, 0},
	}
	return m.Then(&n)
}

// At returns the matrix that places an object: it turns the object by the angle, moves it to the position, and then
// applies m.
func At(position [3]float32, angle float32, m Matrix) Matrix {
	local := Identity()
	local = local.Spun(angle, [3]float32{0, 0, 1})
	local = local.Shifted(position)
	return local.Then(&m)
}
