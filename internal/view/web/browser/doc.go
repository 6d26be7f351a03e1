// Package browser tests the page in headless Chromium. It is a separate module because only these tests need the
// packages that control a browser. `.ci/run browser` runs the tests; they fail if Chromium is not installed.
package browser
