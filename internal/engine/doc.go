// Package engine plays model providers from scripts: it accepts a request, finds the run, reads,
// judges what the provider refuses, chooses the step, shapes the answer, sends it and notes it. It
// asserts nothing itself. Programs import mockprovider, which is its public face; the command and
// package suite also play scenarios to a loop step by step, in a [Run].
package engine
