// Package browser tests the HTML report of package report and the site of a history in a browser.
// It is a module of its own, so that only this test depends on what drives Chromium.
//
// The test needs the programs chromium and dot (Debian packages chromium and graphviz):
//
//	cd report/browser && go test ./...
//
// With XCHECK_SCREENSHOTS=FOLDER it saves screenshots there: dark and light, desktop and phone.
package browser
