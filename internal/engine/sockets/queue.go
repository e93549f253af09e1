package sockets

import (
	"context"
	"sync/atomic"

	"github.com/coder/websocket"
)

// messageQueue are the messages of a connection that wait for their answers.
type messageQueue struct {
	next  chan []byte
	count atomic.Int64
	size  atomic.Int64 // in bytes
}

// maxWaiting is how many messages of a client wait for their answers, which together may be as long
// as the longest one.
const maxWaiting = 1000

// readMessages reads the messages of a connection until the client leaves, which is told at once.
// It reads while a message is answered, too, and while others wait: otherwise a client that leaves
// would not end its answer, and one that asks by pings whether we are there would take a slow
// answer for a connection that is dead.
func readMessages(ctx context.Context, gone func(), conn *websocket.Conn, most int64) *messageQueue {
	q := &messageQueue{next: make(chan []byte, maxWaiting)}
	go func() {
		defer close(q.next)
		defer gone()
		for {
			_, message, err := conn.Read(ctx)
			if err != nil {
				return
			}
			if !q.add(message, most) {
				conn.Close(websocket.StatusPolicyViolation, "too many messages wait for their answers")
				return
			}
		}
	}()
	return q
}

// add puts a message to those that wait, and reports whether there is room for it.
func (q *messageQueue) add(message []byte, most int64) bool {
	length := int64(len(message))
	count, size := q.count.Add(1), q.size.Add(length)
	if count > maxWaiting || size > length && size > most {
		return false
	}
	q.next <- message
	return true
}

// taken notes that a message does not wait any more.
func (q *messageQueue) taken(message []byte) {
	q.count.Add(-1)
	q.size.Add(-int64(len(message)))
}
