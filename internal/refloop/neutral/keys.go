package neutral

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object as it came. It stays as it is to the byte until one of its keys is
// changed.
type Object struct {
	Values  map[string]json.RawMessage
	raw     json.RawMessage
	changed bool
}

// Keys returns the keys of an object, none for what is not an object.
func Keys(raw json.RawMessage) *Object {
	o := &Object{raw: raw}
	if json.Unmarshal(raw, &o.Values) != nil || o.Values == nil {
		o.Values, o.changed = map[string]json.RawMessage{}, true
	}
	return o
}

// Text returns the text under a key, "" where there is none.
func (o *Object) Text(key string) string {
	var text string
	json.Unmarshal(o.Values[key], &text)
	return text
}

// Set sets a key to a JSON value, unless it has that value.
func (o *Object) Set(key string, value json.RawMessage) {
	if string(o.Values[key]) != string(value) {
		o.Values[key], o.changed = value, true
	}
}

// SetText sets a key to a text, unless it says the same.
func (o *Object) SetText(key, text string) {
	if _, has := o.Values[key]; !has || o.Text(key) != text {
		quoted, _ := JSON(text)
		o.Set(key, quoted)
	}
}

// SetOrDrop sets a key to a text, or removes it where the text is empty and the key says something.
func (o *Object) SetOrDrop(key, text string) {
	switch {
	case text != "":
		o.SetText(key, text)
	case o.Text(key) != "":
		delete(o.Values, key)
		o.changed = true
	}
}

// Drop removes a key.
func (o *Object) Drop(key string) {
	if _, has := o.Values[key]; has {
		delete(o.Values, key)
		o.changed = true
	}
}

// JSON returns the object.
func (o *Object) JSON() json.RawMessage {
	if !o.changed {
		return o.raw
	}
	raw, err := json.Marshal(o.Values)
	if err != nil {
		return o.raw
	}
	return raw
}

// NoObject reports whether an event of a stream is JSON, and no object: what some send to keep a
// connection alive says nothing.
func NoObject(data []byte) bool {
	at := bytes.TrimLeft(data, " \t\r\n")
	return len(at) > 0 && at[0] != '{' && json.Valid(data)
}
