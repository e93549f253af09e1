// Package replicas is how servers share what no request carries in itself, so that they are asked,
// and answer, as if they were one.
//
//	link := replicas.NewLink(store)
//	attempts, err := link.Count(run, key)
//
//	follower := replicas.NewFollower(ctx, link, apply, failed)
//	go follower.Follow(clock.Sleep)
//	follower.Tell(update)
//
// A [Store] is given by the user, or is one of package redisstore. A [Link] gets on without a store
// that cannot be reached, and writes later what was missed.
package replicas

import "context"

// MaxCounts is how many keys of a run are counted, so that a run that never ends takes no more and
// more memory.
const MaxCounts = 10_000

// Store keeps what no request carries in itself, so that servers which share one are asked, and
// answer, as if they were one: how often a request failed, the journal and what follows from it,
// and the test runs. It has to be safe for use by many goroutines.
type Store interface {
	// Count counts one more under a key of a run, and returns how many there are so far. It may
	// forget all keys of a run that has more than [MaxCounts]. Forget forgets those of a run.
	Count(run, key string) (int, error)
	Forget(run string) error

	// Append adds a record to the one log that there is, and Read returns those after a place in
	// it, oldest first, with the place after them. The place "" is the beginning. With wait it
	// waits a little for the first one.
	Append(record []byte) error
	Read(ctx context.Context, after string, wait bool) (records [][]byte, next string, err error)
}
