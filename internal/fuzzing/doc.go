// Package fuzzing draws lawful conversations from a grammar, plays them to a loop, and makes those
// that break a rule as small as they can be.
//
//	session, err := runner.Open(ctx, config)
//	found, err := fuzzing.Run(ctx, fuzzing.Config{Session: session, Seed: 41, For: 2 * time.Minute})
//	for _, f := range found.Findings {
//		fmt.Printf("%s: %s\n%s", f.Rule, f.Message, f.File)
//	}
//
// A conversation becomes a scenario, is written as YAML and read again, so that the loader checks
// it and a file says the same. It is then played and judged like any other.
//
// The same number of a seed always draws the same conversation. The tests of the grammar draw by
// pgregory.net/rapid, and use its search for the smallest counterexample. The command does not link
// it: it takes 2 ms of each start. Conversations that break a rule are not shrunk by it either. It
// would shrink the numbers that were drawn, needs a testing.T with global flags, and takes hundreds
// of attempts, each of which is a conversation with somebody's loop. Instead, what a conversation
// is made of is removed: prompts, turns, calls, failures.
package fuzzing
