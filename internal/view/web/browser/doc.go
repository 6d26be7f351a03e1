// Package browser has the tests of the page in Chromium, without a window. It is a module of its own, since only its
// tests need what drives a browser. `.ci/run browser` runs them; without Chromium they fail.
package browser
