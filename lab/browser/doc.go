// Package browser tries the pages of the mock provider and the report of the suite in a real
// Chromium, as people see them: on a desktop and on a phone, light and dark, with and without
// JavaScript. It is a module of its own, so that nobody who imports Loopproof downloads what drives
// a browser.
//
//	go test ./...                        # where there is a Chromium
//	SCREENSHOTS=/tmp/shots go test ./... # and pictures to look at
package browser
