//go:build !linux

package live

import "errors"

// liveSockets returns no sockets: here capture opens its own.
func liveSockets(as string, _ int) ([]int, error) {
	if as != "" {
		return nil, errors.New("-Z: dropping privileges works only on Linux")
	}
	return nil, nil
}

// IsRoot returns false: rights are given up only on Linux.
func IsRoot() bool { return false }

// WithoutRights returns err: no rights were given up.
func WithoutRights(err error) error { return err }
