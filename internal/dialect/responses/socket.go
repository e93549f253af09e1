package responses

import (
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// socket is the WebSocket mode: https://developers.openai.com/api/docs/guides/websocket-mode
var socket = &wire.Socket{
	Read: readSocket, Failure: socketFailure, Ends: endsResponse, Fails: failsResponse, EndMark: Done,
	Life: time.Hour,
	Expired: wire.Fields{{Key: "error", Value: wire.Fields{
		{Key: "type", Value: "invalid_request_error"}, {Key: "code", Value: "websocket_connection_limit_reached"},
		{Key: "message", Value: "Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue."},
	}}},
	AtATime: 16, Named: 32,
	Crowded: errorBody("This WebSocket connection has reached its maximum number of distinct stream IDs (32). Reuse an existing stream_id or open a new WebSocket connection.", "stream_id", "websocket_stream_limit_reached"),
}

// streamID is what a stream of a connection may be called.
var streamID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.-]{1,256}$`) })

// readSocket reads the event by which a client asks for a response. It has the keys of a request,
// and of its own the type, generate and stream_id; stream and background are not used.
func readSocket(message []byte) (asked wire.SocketRequest, problem wire.Fields) {
	n, err := wire.ParseNode(message)
	if err != nil || !n.Is(wire.Object) {
		return asked, errorBody("We could not parse the JSON body of your request.", nil, nil)
	}
	if stream := n.Get("stream_id"); stream != nil && !stream.Is(wire.Null) && !streamID().MatchString(stream.Text()) {
		message := "The 'stream_id' field must be a non-empty string with at most 256 characters and may only contain letters, numbers, underscores, hyphens, and periods."
		return asked, errorBody(message, "stream_id", "invalid_stream_id")
	}
	asked.Stream = n.Get("stream_id").Text()
	if kind := n.Get("type").Text(); kind != "response.create" {
		message := "Invalid value: " + strconv.Quote(kind) + ". Supported values are: 'response.create'."
		return asked, errorBody(message, "type", "invalid_value")
	}
	asked.Warms = n.Get("generate").Is(wire.Bool) && !n.Get("generate").True()
	asked.Follows = n.Get("previous_response_id").Text()
	asked.Body = n.AsFields().Without("type").Without("generate").Without("stream_id").Without("stream").Without("background").With("stream", true).JSON()
	return asked, nil
}

// socketFailure has the error within an event, with the status that it has over HTTP: as reported
// in https://github.com/maximhq/bifrost/issues/2441 and
// https://github.com/openclaw/openclaw/pull/122727.
func socketFailure(status int, body []byte) []byte {
	event := wire.Fields{{Key: "type", Value: "error"}, {Key: "status", Value: status}}
	if n, err := wire.ParseNode(body); err == nil && n.Get("error") != nil {
		event = event.With("error", wire.Raw(inOneLine(n.Get("error"))))
	}
	return event.JSON()
}

// endsResponse reports whether nothing of a response comes after an event.
func endsResponse(event *wire.Node) bool {
	switch event.Get("type").Text() {
	case "response.completed", "response.incomplete", "response.failed", "error":
		return true
	}
	return false
}

// failsResponse reports whether an event is an error. Over HTTP response.failed comes behind it. The
// guide's clients take it for the end, and ask again over the same connection: there it would be
// taken for what the next request got.
func failsResponse(event *wire.Node) bool { return event.Get("type").Text() == "error" }
