package refloop

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/coder/websocket"
)

// socket is a connection over which one answer after the other comes:
// https://developers.openai.com/api/docs/guides/websocket-mode
type socket struct{ conn *websocket.Conn }

// SocketUse is how a WebSocket is used.
type SocketUse int

const (
	KeptOpen       SocketUse = iota // for one request after the other, until it ends
	OneForEach                      // for one request
	OnlyWhatIsNew                   // as the first, by messages that name the response before, which the connection keeps
	HTTPAfterwards                  // until it ends or answers with an error; what comes after is asked over HTTP
)

// longestMessage is how many bytes an event may have.
const longestMessage = 64 << 20

// send sends a request: over the socket where the task says so, and else over HTTP.
func (c *conversation) send(req *http.Request) (*http.Response, error) {
	if c.loop.SocketUse == OneForEach {
		c.closeSocket()
	}
	if !c.task.Socket || c.noSocket {
		return c.loop.Client.Do(req)
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	if c.socket == nil {
		if err := c.openSocket(req); err != nil {
			return nil, err
		}
	}
	resp, err := c.socket.ask(req.Context(), body)
	if err != nil || resp.StatusCode != http.StatusOK {
		c.closeSocket() // after an error, too: it may be that the connection is too old
	}
	return resp, err
}

func (c *conversation) openSocket(req *http.Request) error {
	header := req.Header.Clone()
	header.Del("Content-Type")
	conn, _, err := websocket.Dial(req.Context(), strings.Replace(req.URL.String(), "http", "ws", 1), &websocket.DialOptions{HTTPClient: c.loop.Client, HTTPHeader: header})
	if err != nil {
		return err
	}
	conn.SetReadLimit(longestMessage)
	c.socket = &socket{conn: conn}
	return nil
}

func (c *conversation) closeSocket() {
	if c.socket != nil {
		c.socket.conn.CloseNow()
		c.socket, c.noSocket = nil, c.loop.SocketUse == HTTPAfterwards
	}
}

// ask sends a request as a message, and returns what comes as HTTP would have it: an error with its
// status, or a stream whose events are the messages.
func (s *socket) ask(ctx context.Context, body []byte) (*http.Response, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(body, &keys); err != nil {
		return nil, err
	}
	delete(keys, "stream")
	keys["type"] = json.RawMessage(`"response.create"`)
	message, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	if err := s.conn.Write(ctx, websocket.MessageText, message); err != nil {
		return nil, err
	}
	_, first, err := s.conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	var event struct {
		Type   string          `json:"type"`
		Status int             `json:"status"`
		Error  json.RawMessage `json:"error"`
	}
	json.Unmarshal(first, &event) // what is no event is for the reader of the stream
	if event.Type != "error" || event.Status == 0 {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: &socketStream{ctx: ctx, conn: s.conn, rest: asEvent(first)}}, nil
	}
	said := append(append([]byte(`{"error":`), event.Error...), '}')
	return &http.Response{StatusCode: event.Status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(said))}, nil
}

// asEvent returns a message as an event of a stream.
func asEvent(message []byte) []byte {
	return append(append([]byte("data: "), bytes.ReplaceAll(message, []byte("\n"), []byte("\ndata: "))...), "\n\n"...)
}

// socketStream reads the messages of a socket as server-sent events.
type socketStream struct {
	ctx  context.Context
	conn *websocket.Conn
	rest []byte
}

// Read returns bytes of the next message, which it waits for.
func (s *socketStream) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		_, message, err := s.conn.Read(s.ctx)
		if err != nil {
			return 0, err
		}
		s.rest = asEvent(message)
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// Close does nothing: the next answer comes over the same socket.
func (s *socketStream) Close() error { return nil }
