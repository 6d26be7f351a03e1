//go:build !linux

package main

import "errors"

// liveSocket gives none: capturing opens its own.
func liveSocket(as string) (int, error) {
	if as != "" {
		return -1, errors.New("-Z: giving up rights is for Linux alone")
	}
	return 0, nil
}

// isRoot is for Linux alone.
func isRoot() bool { return false }

// withoutRights has nothing to add: no rights were given up.
func withoutRights(err error) error { return err }
