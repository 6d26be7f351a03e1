// Package plainhttp reads what games ask for and answer over HTTP without encryption.
package plainhttp
