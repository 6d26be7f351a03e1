// Package browser holds the tests of the page in a real browser, Chromium without a window. It is a room of its own so
// that no other tests are built with what drives a browser.
//
// Without Chromium they are skipped; GAMEDISSECT_BROWSER=need in the environment makes that a failure, =no skips
// them in any case.
package browser
