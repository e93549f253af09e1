// Package runner judges an agent loop: it plans the cases, plays them, judges what the loop did,
// and reports it. Programs import suite, which is its public face.
package runner
