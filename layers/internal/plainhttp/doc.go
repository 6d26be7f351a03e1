// Package plainhttp reads the unencrypted HTTP traffic of games, such as requests to list servers.
package plainhttp
