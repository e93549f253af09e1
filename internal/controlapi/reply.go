package controlapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
)

const jsonType = "application/json"

// reply answers with a value as JSON.
func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.Encode(v)
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	var body struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	body.Error.Message = fmt.Sprintf(format, args...)
	reply(w, status, body)
}

// found looks up the run that a path names, and answers when there is none.
func (c *api) found(w http.ResponseWriter, r *http.Request) (Run, bool) {
	id := mux.Vars(r)["run"]
	run, ok := c.provider.ShownRun(id)
	if !ok {
		c.refuseUnknownRun(w, id)
	}
	return run, ok
}

func (c *api) refuseUnknownRun(w http.ResponseWriter, id string) {
	refuse(w, http.StatusNotFound, "there is no run %q; GET %s/runs lists all", id, c.prefix)
}

// foundEntry looks up the request that a path names, and answers when there is none.
func (c *api) foundEntry(w http.ResponseWriter, r *http.Request) (journal.Entry, bool) {
	run, ok := c.found(w, r)
	if !ok {
		return journal.Entry{}, false
	}
	number, err := strconv.Atoi(mux.Vars(r)["number"])
	e, ok := run.Journal.Entry(number)
	if err != nil || !ok {
		refuse(w, http.StatusNotFound, "the run %s has no request %s, or has forgotten it; it saw %d", run.ID, mux.Vars(r)["number"], run.Journal.Count())
		return e, false
	}
	return e, true
}

// maxAsked is how much of a request to the control API is read. A scenario is the longest that it
// carries.
const maxAsked = 4 << 20

// decode reads the body of a request strictly, and returns it as it was written. An empty one is
// nothing, and nil. The JSON reader would take the last one of keys that are there twice, and keys
// in any mix of upper and lower case.
func decode(r *http.Request, into any) (*wire.Node, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxAsked+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the body cannot be read: %w", err)
	case len(body) > maxAsked:
		return nil, fmt.Errorf("the body has more than %d MB, which is the most that is read here: send less at a time", maxAsked>>20)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	switch err := d.Decode(into); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, bodyError(err, into)
	case d.More():
		return nil, errors.New("more follows after the JSON of the body")
	}
	n, err := wire.ParseNode(body)
	if err != nil {
		return nil, fmt.Errorf("the body is not JSON: %w", err)
	}
	if err := n.DoubledKey(); err != nil {
		return nil, fmt.Errorf("in the body %w", err)
	}
	return n, checkKeys(n, suggest.Keys(into))
}

// checkKeys returns an error if an object has another key than those that are known.
func checkKeys(object *wire.Node, known []string) error {
	for key, value := range object.Fields() {
		if !slices.Contains(known, key) {
			return unknownKey(value, known)
		}
	}
	return nil
}

// unknownKey words that an object has a key that is not known, where the object is in the body, and
// which ones are.
func unknownKey(value *wire.Node, known []string) error {
	where := ""
	if at := strings.TrimPrefix(value.Parent().Pointer(), "/"); at != "" {
		where = " under " + at
	}
	return fmt.Errorf("the body has the unknown key %q%s%s; the keys are %s", value.Key(), where, suggest.Hint(value.Key(), known), strings.Join(known, ", "))
}

// bodyError words an error of the JSON reader without naming the reader, and names the keys that
// there are.
func bodyError(err error, into any) error {
	var wrongType *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	unknown, isUnknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case isUnknown:
		known := suggest.Keys(into)
		key, _ := strconv.Unquote(unknown)
		return fmt.Errorf("the body has the unknown key %q%s; the keys are %s", key, suggest.Hint(key, known), strings.Join(known, ", "))
	case errors.As(err, &wrongType):
		key, isWithin := wrongType.Field[strings.LastIndexByte(wrongType.Field, '.')+1:], wrongType.Field != "" // a struct within another one is no key
		if !isWithin {
			return fmt.Errorf("the body is %s, where %s is expected", jsonKindOf(wrongType.Value), kindFor(wrongType.Type))
		}
		return fmt.Errorf("the body has %s under %q, where %s is expected", jsonKindOf(wrongType.Value), key, kindFor(wrongType.Type))
	case errors.As(err, &syntax):
		return fmt.Errorf("the body is not JSON at offset %d: %w", syntax.Offset, syntax)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the body is JSON that breaks off")
	default:
		return fmt.Errorf("the body is not what was expected: %w", err)
	}
}

// jsonKindOf words what the JSON reader found: "array", or "number 1.5".
func jsonKindOf(found string) string {
	if strings.HasPrefix(found, "a") || strings.HasPrefix(found, "o") {
		return "an " + found
	}
	return "a " + found
}

// kindFor words what JSON a value of Go is read from.
func kindFor(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindFor(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	default:
		return "a whole number"
	}
}
