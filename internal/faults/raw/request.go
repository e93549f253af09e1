package raw

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/loopproof/loopproof/protocol"
)

// Request is a request for the model on its way out. Paths are those of github.com/tidwall/sjson.
type Request struct {
	Body   string
	Number int // of the model requests of the task, from 1
	Task   protocol.Task
}

// Get returns a value of the request.
func (r *Request) Get(path string) gjson.Result { return gjson.Get(r.Body, path) }

// Set sets a value of the request.
func (r *Request) Set(path string, value any) { r.Body = Set(r.Body, path, value) }

// SetRaw sets a value of the request to a JSON text.
func (r *Request) SetRaw(path, raw string) { r.Body = SetRaw(r.Body, path, raw) }

// Delete removes a key.
func (r *Request) Delete(path string) {
	if changed, err := sjson.Delete(r.Body, path); err == nil {
		r.Body = changed
	}
}

// Messages returns the JSON of every message.
func (r *Request) Messages() []string { return Items(r.Get("messages").Array()) }

// SetMessages replaces all messages.
func (r *Request) SetMessages(messages []string) {
	r.SetRaw("messages", "["+strings.Join(messages, ",")+"]")
}

// Each changes every message of a role.
func (r *Request) Each(role string, change func(path string, m gjson.Result)) {
	for i, m := range r.Get("messages").Array() {
		if m.Get("role").String() == role {
			change(fmt.Sprintf("messages.%d", i), m)
		}
	}
}
