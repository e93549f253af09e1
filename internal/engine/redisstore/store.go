// Package redisstore lets mock providers share what they know through a Redis or Valkey server:
//
//	store, err := redisstore.Open(ctx, "redis://127.0.0.1:6379/0?prefix=ci-17")
//	provider := engine.New(engine.Config{Store: store})
package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/loopproof/loopproof/internal/engine/replicas"
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

	// idle is how many connections are kept open.
	idle = 8

	// reply is how long a reply may take, longer than a reader waits. Requests wait for it once
	// where a server hangs.
	reply = time.Second
)

// Store is a [replicas.Store] on a server.
type Store struct {
	pool   *redis.Pool
	prefix string
}

// Open connects to a server. The URL is of the form redis://USER:PASSWORD@HOST:PORT/DB, or
// rediss:// for TLS; prefix=NAME in its query keeps groups of providers apart.
func Open(ctx context.Context, address string) (*Store, error) {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Scheme != "redis" && u.Scheme != "rediss" {
		return nil, errors.New("the store is a URL such as redis://127.0.0.1:6379/0")
	}
	prefix := u.Query().Get("prefix")
	if prefix == "" {
		prefix = "loopproof"
	}
	for key := range u.Query() {
		if key != "prefix" {
			return nil, fmt.Errorf("the store is a URL such as redis://127.0.0.1:6379/0?prefix=ci-17: unknown %s in its query", key)
		}
	}
	u.RawQuery = ""
	s := &Store{prefix: prefix, pool: &redis.Pool{MaxIdle: idle, DialContext: func(ctx context.Context) (redis.Conn, error) {
		return redis.DialURLContext(ctx, u.String(), redis.DialConnectTimeout(time.Second), redis.DialReadTimeout(reply), redis.DialWriteTimeout(reply))
	}}}
	if _, err := s.do(ctx, command{"PING"}); err != nil {
		s.Close()
		return nil, fmt.Errorf("the store %s cannot be reached: %w", u.Redacted(), err)
	}
	return s, nil
}

// Close ends all connections.
func (s *Store) Close() error { return s.pool.Close() }

// command is the name of a command and its arguments.
type command []any

// do sends a command. Where the connection is broken, it is sent once more on a new one: the server
// may have been started again.
func (s *Store) do(ctx context.Context, c command) (any, error) {
	return s.twice(ctx, func(conn redis.Conn) (any, error) { return redis.DoContext(conn, ctx, c[0].(string), c[1:]...) })
}

// all sends commands of which all are executed or none, and returns the replies.
func (s *Store) all(ctx context.Context, commands ...command) ([]any, error) {
	return redis.Values(s.twice(ctx, func(conn redis.Conn) (any, error) {
		for _, c := range slices.Concat([]command{{"MULTI"}}, commands) {
			if err := conn.Send(c[0].(string), c[1:]...); err != nil {
				return nil, err
			}
		}
		return redis.DoContext(conn, ctx, "EXEC")
	}))
}

// twice lets something be done on a connection, and again where that one turns out to be broken. A
// server that does not answer in time is not asked again.
func (s *Store) twice(ctx context.Context, do func(redis.Conn) (any, error)) (got any, err error) {
	for range 2 {
		conn, failed := s.pool.GetContext(ctx)
		if failed != nil {
			return nil, failed
		}
		got, err = do(conn)
		broken := conn.Err() != nil
		conn.Close()
		if !broken || ctx.Err() != nil || isTimeout(err) {
			break
		}
	}
	return got, err
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

func (s *Store) attempts(run string) string { return s.prefix + ":attempts:" + run }
func (s *Store) log() string                { return s.prefix + ":log" }

// expire has the server forget a key some time after its last change.
func expire(key string) command { return command{"EXPIRE", key, int(kept / time.Second)} }

// Count counts one more under a key of a run. Behind [replicas.MaxCounts] keys all of the run are
// forgotten.
func (s *Store) Count(run, key string) (int, error) {
	attempts := s.attempts(run)
	replies, err := redis.Ints(s.all(context.Background(), command{"HINCRBY", attempts, key, 1}, command{"HLEN", attempts}, expire(attempts)))
	if err != nil {
		return 0, err
	}
	counted, keys := replies[0], replies[1]
	if keys > replicas.MaxCounts {
		return counted, s.Forget(run)
	}
	return counted, nil
}

// Forget forgets what was counted of a run.
func (s *Store) Forget(run string) error {
	_, err := s.do(context.Background(), command{"DEL", s.attempts(run)})
	return err
}

// field is the one of a record in the log.
const field = "r"

// Append adds a record to the log.
func (s *Store) Append(record []byte) error {
	add := command{"XADD", s.log(), "MAXLEN", "~", longest, "*", field, record}
	_, err := s.all(context.Background(), add, expire(s.log()))
	return err
}

// Read returns the records after a place in the log, and the place after them.
func (s *Store) Read(ctx context.Context, after string, wait bool) ([][]byte, string, error) {
	if after == "" {
		after = "0"
	}
	read := command{"XREAD", "COUNT", atOnce, "STREAMS", s.log(), after}
	if wait {
		read = slices.Insert(read, 3, any("BLOCK"), any(patience.Milliseconds()))
	}
	streams, err := redis.Values(s.do(ctx, read))
	if errors.Is(err, redis.ErrNil) {
		return nil, after, nil
	}
	if err != nil {
		return nil, after, err
	}
	records, last, err := recordsOf(streams)
	if last != "" {
		after = last
	}
	return records, after, err
}

// recordsOf returns the records of a reply to XREAD about one stream, [[stream, [[id, [field,
// record]], ...]]], and the id of the last.
func recordsOf(streams []any) (records [][]byte, last string, err error) {
	var messages []any
	if len(streams) > 0 {
		stream, err := redis.Values(streams[0], nil)
		if err == nil {
			_, err = redis.Scan(stream, nil, &messages)
		}
		if err != nil {
			return nil, "", err
		}
	}
	for _, m := range messages {
		var fields []any
		var record []byte
		message, err := redis.Values(m, nil)
		if err == nil {
			_, err = redis.Scan(message, &last, &fields)
		}
		if err == nil {
			_, err = redis.Scan(fields, nil, &record)
		}
		if err != nil {
			return nil, "", err
		}
		records = append(records, record)
	}
	return records, last, nil
}
