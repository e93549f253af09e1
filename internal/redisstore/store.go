// Package redisstore lets mock providers share what they know through a Redis or Valkey server:
//
//	store, err := redisstore.Open(ctx, "redis://127.0.0.1:6379/0?prefix=ci-17")
//	provider := mockprovider.New(mockprovider.Config{Store: store})
package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// kept is how long attempts and the log are stored after the last change.
	kept = 24 * time.Hour

	// longest is about how many records the log has at most. The oldest go first.
	longest = 10_000

	// patience is how long a reader waits for news at a time.
	patience = 200 * time.Millisecond

	// atOnce is how many records are read at a time.
	atOnce = 100
)

// Store is a [mockprovider.Store] on a server.
type Store struct {
	client *redis.Client
	prefix string
}

// Open connects to a server. The URL is of the form redis://USER:PASSWORD@HOST:PORT/DB, or rediss:// for TLS; prefix=NAME
// in its query keeps groups of providers apart.
func Open(ctx context.Context, address string) (*Store, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the store is a URL such as redis://127.0.0.1:6379/0")
	}
	query := u.Query()
	prefix := query.Get("prefix")
	if prefix == "" {
		prefix = "loopproof"
	}
	query.Del("prefix")
	u.RawQuery = query.Encode()
	options, err := redis.ParseURL(u.String())
	if err != nil {
		return nil, fmt.Errorf("the store is a URL such as redis://127.0.0.1:6379/0: %w", err)
	}
	options.DialTimeout, options.DialerRetries, options.MaxRetries = time.Second, 1, 1 // a request waits for it
	s := &Store{client: redis.NewClient(options), prefix: prefix}
	if err := s.client.Ping(ctx).Err(); err != nil {
		s.client.Close()
		return nil, fmt.Errorf("the store %s cannot be reached: %w", u.Redacted(), err)
	}
	return s, nil
}

// SilenceLibrary turns off the log of go-redis, which writes to standard error what Count, Append and Read return as errors
// anyway. The library has one log for the whole process and none for a client, so this is for a program to call at its
// start and not for Open.
func SilenceLibrary() { redis.SetLogger(quiet{}) }

// quiet is a log that says nothing.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

// Close ends all connections.
func (s *Store) Close() error { return s.client.Close() }

func (s *Store) attempts(run string) string { return s.prefix + ":attempts:" + run }
func (s *Store) log() string                { return s.prefix + ":log" }

// Count counts one more under a key of a run.
func (s *Store) Count(run, key string) (int, error) {
	ctx := context.Background()
	pipe := s.client.TxPipeline()
	n := pipe.HIncrBy(ctx, s.attempts(run), key, 1)
	pipe.Expire(ctx, s.attempts(run), kept)
	if _, err := pipe.Exec(ctx); err != nil {
		return 0, err
	}
	return int(n.Val()), nil
}

// Forget forgets what was counted of a run.
func (s *Store) Forget(run string) error {
	return s.client.Del(context.Background(), s.attempts(run)).Err()
}

// field is the one of a record in the log.
const field = "r"

// Append adds a record to the log.
func (s *Store) Append(record []byte) error {
	ctx := context.Background()
	pipe := s.client.TxPipeline()
	pipe.XAdd(ctx, &redis.XAddArgs{Stream: s.log(), MaxLen: longest, Approx: true, Values: []any{field, record}})
	pipe.Expire(ctx, s.log(), kept)
	_, err := pipe.Exec(ctx)
	return err
}

// Read returns the records after a place in the log, and the place after them.
func (s *Store) Read(ctx context.Context, after string, wait bool) ([][]byte, string, error) {
	if after == "" {
		after = "0"
	}
	args := &redis.XReadArgs{Streams: []string{s.log(), after}, Count: atOnce, Block: -1}
	if wait {
		args.Block = patience
	}
	found, err := s.client.XRead(ctx, args).Result()
	if errors.Is(err, redis.Nil) || err == nil && len(found) == 0 {
		return nil, after, nil
	}
	if err != nil {
		return nil, after, err
	}
	var records [][]byte
	for _, message := range found[0].Messages {
		text, _ := message.Values[field].(string)
		records, after = append(records, []byte(text)), message.ID
	}
	return records, after, nil
}
