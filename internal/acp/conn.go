// Package acp is the client's half of the Agent Client Protocol, as far as a loop is judged by it:
// https://agentclientprotocol.com. A client starts an agent, gives it prompts, reads what it says,
// and decides about the calls of tools for which the agent asks.
//
// Messages are JSON-RPC 2.0, one a line. What this package does not know in them is left alone, so
// that newer agents are understood, too.
package acp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
)

// Error is the error with which an agent answers a request.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error returns the message, and what the agent says besides.
func (e *Error) Error() string {
	text := e.Message
	if text == "" {
		text = "error " + strconv.Itoa(e.Code)
	}
	if len(e.Data) > 0 && string(e.Data) != "null" {
		text += ": " + string(e.Data)
	}
	return text
}

const notFound = -32601 // the code of an unknown method

// errGone is the error of a request whose agent ends before it has answered.
var errGone = errors.New("the agent closed its output before it answered")

// message is any line of the protocol.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Conn is a connection to an agent. It is safe for use by several goroutines.
type Conn struct {
	handler Handler
	gone    chan struct{} // closed when the agent says nothing more

	writing sync.Mutex
	out     io.Writer

	mu      sync.Mutex
	next    int
	waiting map[string]chan message
	stray   string
}

// Handler is what a client does with what an agent says by itself.
type Handler struct {
	// Update is called with all that the agent tells, in order and one after the other.
	Update func(Update)

	// Permission returns the option that the user chooses, or "" where the user cancels instead. It is
	// called for several questions at a time, and its context ends with the agent.
	Permission func(context.Context, PermissionRequest) (option string)
}

// Connect talks to an agent over its output and its input, until the output ends.
func Connect(in io.Reader, out io.Writer, h Handler) *Conn {
	c := &Conn{handler: h, gone: make(chan struct{}), out: out, waiting: map[string]chan message{}}
	go c.read(in)
	return c
}

// Stray returns the first line of the agent that is no message, or "".
func (c *Conn) Stray() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stray
}

// Call sends a request and reads its result, which may be nil. The error is an [Error] where the
// agent answers with one.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	answer := make(chan message, 1)
	c.mu.Lock()
	c.next++
	id := strconv.Itoa(c.next)
	c.waiting[id] = answer
	c.mu.Unlock()
	c.send(message{ID: json.RawMessage(id), Method: method, Params: encode(params)})
	select {
	case m := <-answer:
		return m.into(method, result)
	case <-ctx.Done():
		return ctx.Err()
	case <-c.gone:
	}
	select {
	case m := <-answer: // its last line
		return m.into(method, result)
	default:
		return errGone
	}
}

// into reads the result of an answer.
func (m message) into(method string, result any) error {
	switch {
	case m.Error != nil:
		return m.Error
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(m.Result, result); err != nil {
		return fmt.Errorf("the answer to %s does not fit the protocol: %w", method, err)
	}
	return nil
}

// Notify sends a notification.
func (c *Conn) Notify(method string, params any) {
	c.send(message{Method: method, Params: encode(params)})
}

// send writes a message. That the agent has ended is known by what is read.
func (c *Conn) send(m message) {
	m.Version = "2.0"
	line := append(encode(m), '\n')
	c.writing.Lock()
	defer c.writing.Unlock()
	c.out.Write(line)
}

func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic("acp: a message has no JSON form: " + err.Error())
	}
	return text
}

// read reads what the agent says, until it ends.
func (c *Conn) read(in io.Reader) {
	defer close(c.gone)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			c.take(ctx, line)
		}
		if err != nil {
			return
		}
	}
}

// take reads one line.
func (c *Conn) take(ctx context.Context, line []byte) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.stray == "" {
			c.stray = string(line)
		}
		return
	}
	switch {
	case m.Method == "":
		c.answer(m)
	case m.Method == "session/update":
		var told struct {
			Update Update `json:"update"`
		}
		if json.Unmarshal(m.Params, &told) == nil {
			c.handler.Update(told.Update)
		}
	case m.ID == nil: // a notification that we do not know
	case m.Method == "session/request_permission":
		c.handler.Update(Update{Kind: asksPermission})
		go c.decide(ctx, m)
	default:
		c.send(message{ID: m.ID, Error: &Error{Code: notFound, Message: "this client has no method " + m.Method}})
	}
}

// answer hands an answer to the request that waits for it.
func (c *Conn) answer(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if waits := c.waiting[string(m.ID)]; waits != nil {
		delete(c.waiting, string(m.ID))
		waits <- m
	}
}

// decide answers a request for a permission.
func (c *Conn) decide(ctx context.Context, m message) {
	var asked PermissionRequest
	if err := json.Unmarshal(m.Params, &asked); err != nil {
		c.send(message{ID: m.ID, Error: &Error{Code: -32602, Message: err.Error()}})
		return
	}
	outcome := map[string]string{"outcome": "cancelled"}
	if option := c.handler.Permission(ctx, asked); option != "" {
		outcome = map[string]string{"outcome": "selected", "optionId": option}
	}
	c.send(message{ID: m.ID, Result: encode(map[string]any{"outcome": outcome})})
}
