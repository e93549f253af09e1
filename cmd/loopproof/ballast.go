package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// ballast are bytes that the garbage collector counts as used, and that take no memory, since nobody writes to them. Without
// them a process that keeps little is collected up to hundreds of times a second.
type ballast []byte

// For what the commands keep: a server about a megabyte, a run tens of them.
const (
	serveBallast = 10 << 20
	runBallast   = 64 << 20
)

// serveGarbage is how much garbage a server may have, in percent of what it keeps, if the user does not say: ten thousand
// streams keep so much that as much garbage again, which Go allows, would be a third of their memory. What a small server
// may have comes from its ballast.
const serveGarbage = 50

// limitGarbage has the collector keep to a limit in percent, unless the user set one by GOGC.
func limitGarbage(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// drop lets the collector count without the ballast again.
func (b ballast) drop() { runtime.KeepAlive(b) }
