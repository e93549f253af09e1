package lint

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/lint/savedrequests"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
)

// unreadable returns what a provider answers to a body that is not JSON. Each refuses it: where its
// words are not known, these are ours.
func unreadable(saved savedrequests.Request, p *profiles.Profile) Answer {
	known, broken := p.Errors.NotJSON, saved.Broken
	if known.Status == 0 {
		return Answer{
			Profile: p.Name, Status: 400, Message: "The body is not JSON.", OurWords: true,
			KnownBy: string(profiles.Documented), Sources: []string{"https://www.rfc-editor.org/rfc/rfc8259"},
		}
	}
	words := known.Words.Fill(map[string]string{
		"problem": cmp.Or(known.Problems[broken.Kind], known.Problems["other"]),
		"line":    strconv.Itoa(broken.Line), "column": strconv.Itoa(broken.Column), "offset": strconv.Itoa(broken.Characters),
	})
	return Answer{Profile: p.Name, Status: known.Status, Message: words.Message, OurWords: known.OurWords, KnownBy: known.How(), Sources: known.Sources}
}

// hints returns the keys of a request that are none of the API, nor of another one, and are like
// one that is and that the request lacks.
func hints(saved savedrequests.Request, req *wire.Request) (all []Hint) {
	form := req.Dialect.Request
	var missing []string
	for _, key := range append([]string{form.Messages}, req.Dialect.Keys()...) {
		if !req.Body.Has(key) {
			missing = append(missing, key)
		}
	}
	for _, m := range req.Body.Members {
		if slices.Contains(req.Dialect.Keys(), m.Key) || m.Key == form.Messages || slices.ContainsFunc(dialect.All(), func(d *wire.Dialect) bool { return slices.Contains(d.Keys(), m.Key) }) {
			continue
		}
		if meant, near := suggest.Word(m.Key, missing); near {
			all = append(all, Hint{Key: m.Key, Meant: meant, Pointer: m.Value.Pointer(), Line: saved.Line(m.Value.Offset())})
		}
	}
	return all
}
