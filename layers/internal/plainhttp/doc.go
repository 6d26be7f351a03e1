// Package plainhttp reads unencrypted HTTP requests and answers of games.
package plainhttp
