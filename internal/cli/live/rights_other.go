//go:build !linux

package live

import "errors"

// liveSockets returns no sockets, since here package capture opens them.
func liveSockets(as string, _ int) ([]int, error) {
	if as != "" {
		return nil, errors.New("-Z: dropping privileges works only on Linux")
	}
	return nil, nil
}

// IsRoot returns false, since the program drops privileges only on Linux.
func IsRoot() bool { return false }

// WithoutRights returns err unchanged, since no privileges were dropped.
func WithoutRights(err error) error { return err }
