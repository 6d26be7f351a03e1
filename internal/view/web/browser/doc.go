// Package browser holds the tests of the page in a real browser, Chromium without a window. It is a room of its own so
// that no other tests are built with what drives a browser.
//
// They run where GAMEDISSECT_BROWSER=need is in the environment.
package browser
