// Package failures holds the tests of what the helpers of adapters do with a loop that fails: one
// table for each language says in which ways its code can, and how each is reported. Each ends as a
// failed outcome that says what it was, and where if the words alone do not, and the next task is
// played.
//
//	go test ./packages/starters/failures                   Go, and Python and JavaScript where they are installed
//	go test ./packages/starters/failures -all-languages    Java and Rust as well, whose programs are built first
package failures
