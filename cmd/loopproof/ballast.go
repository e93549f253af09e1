package main

import "runtime"

// ballast are bytes that the garbage collector counts as used, and that take no memory, since nobody writes to them. Without
// them a process that keeps little is collected up to hundreds of times a second.
type ballast []byte

// For what the commands keep: a server about a megabyte, a run tens of them.
const (
	serveBallast = 5 << 20
	runBallast   = 64 << 20
)

// drop lets the collector count without the ballast again.
func (b ballast) drop() { runtime.KeepAlive(b) }
