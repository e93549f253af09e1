package responses

import (
	"encoding/json"
	"fmt"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// Read reads a whole answer.
func (Dialect) Read(document []byte) ([]neutral.Piece, error) {
	var r reply
	if err := json.Unmarshal(document, &r); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	all := newReader()
	pieces := []neutral.Piece{{Begins: &neutral.Beginning{ID: r.ID}}}
	end, err := all.end(r, document)
	return append(pieces, end...), err
}

// end reads the object of an answer that has ended. What it says is taken from its items where none
// came before.
func (r *reader) end(a reply, document []byte) ([]neutral.Piece, error) {
	if neutral.Given(a.Error) || a.Status == "failed" || a.Status == "cancelled" {
		return nil, failureOf(a, document)
	}
	var pieces []neutral.Piece
	if places := r.unended(len(a.Output)); places != nil {
		for i, raw := range a.Output {
			pieces = append(pieces, r.finish(places[i], raw)...)
		}
	}
	if a.Usage != nil {
		pieces = append(pieces, a.Usage.piece())
	}
	pieces = append(pieces, r.missingIDs()...)
	switch {
	case a.Status == "incomplete":
		return append(pieces, neutral.Piece{Finish: cutBy(a.Incomplete.Reason), Word: a.Incomplete.Reason}), nil
	case unfinished[a.Status] || a.Status == "" && len(r.begun)+len(r.parts) == 0 || r.halfCall:
		return pieces, neutral.ErrBroken
	case r.calls > 0:
		return append(pieces, neutral.Piece{Finish: neutral.Calls, Word: a.Status}), nil
	case a.Status != "completed" && a.Status != "":
		return append(pieces, neutral.Piece{Finish: neutral.Other, Word: a.Status}), nil
	}
	return append(pieces, neutral.Piece{Finish: neutral.Stop, Word: a.Status}), nil
}

// unfinished are the statuses of a response that is not there yet. One that is not known, or none,
// is that of a whole answer where there is one, since it has come to its end.
var unfinished = map[string]bool{"in_progress": true, "queued": true}

// unended returns the places of so many items of the whole answer, where a stream had no end of
// any. Else it returns nil.
func (r *reader) unended(items int) []string {
	switch {
	case len(r.parts) == 0:
		places := make([]string, items)
		for i := range places {
			places[i] = itemPlace(i)
		}
		return places
	case !r.anyEnd && len(r.begun) == items:
		return r.begun
	}
	return nil
}

// failureOf returns the error that an answer ended with.
func failureOf(a reply, document []byte) error {
	if !neutral.Given(a.Error) {
		return fmt.Errorf("%w: the answer has the status %s", neutral.ErrReported, a.Status)
	}
	inside, err := json.Marshal(map[string]json.RawMessage{"error": a.Error})
	if err != nil {
		return neutral.Reported(document)
	}
	return neutral.Reported(inside)
}

// cutBy returns why an answer is incomplete. Whatever the reason, it is not whole.
func cutBy(reason string) neutral.Finish {
	if reason == "content_filter" {
		return neutral.Filter
	}
	return neutral.Length
}

// Word returns the word for a reason to stop, "" where there is none. An answer that calls tools is
// as complete as others.
func (Dialect) Word(f neutral.Finish) string {
	switch f {
	case neutral.Stop, neutral.Calls:
		return "completed"
	case neutral.Length:
		return "max_output_tokens"
	case neutral.Filter:
		return "content_filter"
	}
	return ""
}
