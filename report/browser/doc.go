// Package browser has the test of the page that package report writes, in a browser: it is a
// module of its own, so that nobody else needs what drives Chromium. It needs the programs
// chromium and dot (Debian's packages chromium and graphviz):
//
//	cd report/browser && go test ./...
//
// With XCHECK_SCREENSHOTS=FOLDER it leaves screenshots there: dark and light, on a desk and
// on a phone.
package browser
