package dialect_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// growth is a conversation that goes on, of what the requests of fixtures say: with violations early
// and late, and with a history that is cut, changed and taken up again.
type growth struct {
	random  *rand.Rand
	dialect *wire.Dialect
	good    [][]wire.Raw // the messages of correct requests

	around wire.Fields // what a request says besides its messages
	items  []wire.Raw
	left   [][]wire.Raw // histories that were left, and may be taken up again
}

// next lets the conversation go on by some messages, or by those of another request behind a cut.
func (g *growth) next(items []wire.Raw) {
	switch g.random.IntN(12) {
	case 0:
		g.left = append(g.left, g.items)
		g.items = g.items[:1+g.random.IntN(len(g.items))]
	case 1:
		g.items = slices.Clone(g.items)
		g.items[min(1+g.random.IntN(len(g.items)), len(g.items)-1)] = items[g.random.IntN(len(items))]
	case 2:
		if len(g.left) > 0 {
			g.items = g.left[g.random.IntN(len(g.left))]
		}
	case 3:
		items = items[:1+g.random.IntN(len(items))]
	case 4: // without what the user said first
		items = items[min(len(items)-1, 1):]
	}
	g.items = append(slices.Clip(g.items), items...)
	if len(g.items) > 60 {
		g.items, g.left = slices.Concat(g.items[:1], g.good[g.random.IntN(len(g.good))]), nil
	}
}

func (g *growth) body() []byte {
	body := wire.Fields{}
	for _, f := range g.around {
		if f.Key == g.dialect.Request.Messages {
			f.Value = g.items
		}
		body = append(body, f)
	}
	return body.JSON()
}

// itemsOf returns the messages of a request, as they were sent.
func itemsOf(req *wire.Request) (items []wire.Raw) {
	for _, item := range req.MessageList().All() {
		items = append(items, wire.Raw(item.Raw))
	}
	return items
}

// What is found in a conversation that goes on is what is found in each of its requests alone.
func TestGrowingConversationsAreJudgedAsAlone(t *testing.T) {
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			all, err := fixtures.Requests(d.Name)
			if err != nil {
				t.Fatal(err)
			}
			speaking := slices.DeleteFunc(profiles.All(), func(p *profiles.Profile) bool { return p.Speaks != d || p.Name == d.Standard })
			standard, err := profiles.Get(d.Standard)
			if err != nil {
				t.Fatal(err)
			}
			for seed, p := range append(speaking[:min(len(speaking), 1)], standard) {
				playGrowth(t, d, p, all, rand.New(rand.NewPCG(uint64(seed), 1)))
			}
		})
	}
}

// pause makes a conversation so long that something is kept of it.
var pause = strings.Repeat(" ", 4100)

func playGrowth(t *testing.T, d *wire.Dialect, p *profiles.Profile, all []fixtures.Request, random *rand.Rand) {
	g := &growth{random: random, dialect: d}
	var pieces [][]wire.Raw
	for _, r := range all {
		req, err := d.Read(r.Body)
		if err != nil || len(itemsOf(req)) == 0 {
			continue
		}
		if pieces = append(pieces, itemsOf(req)); r.Class() == "good" {
			g.good, g.around = append(g.good, itemsOf(req)), req.Body.AsFields()
		}
	}
	random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	wordy := slices.IndexFunc(g.good, func(items []wire.Raw) bool { return strings.Contains(string(items[0]), " ") })
	if wordy < 0 {
		return // the dialect has only requests that break its form
	}
	g.items = []wire.Raw{wire.Raw(strings.Replace(string(g.good[wordy][0]), " ", pause, 1))}
	var before *wire.Request
	continued := 0
	for _, piece := range pieces {
		for _, items := range [][]wire.Raw{g.good[random.IntN(len(g.good))], piece, g.good[random.IntN(len(g.good))]} {
			g.next(items)
			alone, err := d.Read(g.body())
			if err != nil {
				t.Fatal(err)
			}
			req, err := d.ReadAfter(g.body(), before)
			if err != nil {
				t.Fatal(err)
			}
			if tail, _ := req.Tail(p); tail != nil {
				continued++
			}
			if diff := cmp.Diff(findings(d, []*profiles.Profile{p}, alone), findings(d, []*profiles.Profile{p}, req)); diff != "" {
				t.Fatalf("%s: found (-alone +continued):\n%s\nbefore: %s\nnow: %s", p.Name, diff, shown(before), shown(req))
			}
			before = req
		}
	}
	if ids := !d.Request.CallsByName && d.Name != "gemini"; ids && continued < len(pieces) { // the others read all messages anew
		t.Errorf("%s: of %d requests, %d were judged by what is new", p.Name, 3*len(pieces), continued)
	}
}

func shown(req *wire.Request) string {
	if req == nil {
		return "nothing"
	}
	return strings.ReplaceAll(string(req.Body.Raw), pause, " ")
}
