package scenarios_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// What a profile writes of a scenario is read again as it was meant, from a document and from
// streams however cut.
func TestAnswersAreReadAsTheyWereWritten(t *testing.T) {
	compared := 0
	for i, s := range embedded(t) {
		for j, p := range profiles.All() {
			if !s.Plays(p) || s.Big || p.Name != p.Speaks.Standard && (i+j)%3 > 0 { // a third of the scenarios under each of the others
				continue
			}
			var last *scenarios.Step
			for _, turn := range scenarios.CompileRegular(s, p, "secret").Turns {
				repeated := turn.Step == last
				if last = turn.Step; repeated || !turn.Whole() {
					continue
				}
				codec, reply := p.Shape, wire.Reply{ID: "one", Model: "m", Usage: true}
				if !s.Facts().StreamsAlone(p) {
					whole, err := p.Speaks.ReadAnswer(codec.Write(turn.Answer, reply), false)
					compare(t, s.ID+" under "+p.Name, turn, whole, err)
				}
				events := append(codec.Stream(turn.Answer, reply), codec.End()...)
				for _, d := range oddly(p) {
					var sent []byte
					for _, w := range d.In(p.Frames()).Writes(events) {
						sent = append(sent, w...)
					}
					streamed, err := p.Speaks.ReadAnswer(sent, true)
					compare(t, s.ID+" under "+p.Name+" as "+string(d), turn, streamed, err)
				}
				compared++
			}
		}
	}
	if compared < 500 {
		t.Errorf("%d answers were compared, which is too few to tell anything", compared)
	}
}

// oddly returns the deliveries in which a profile is tested: splitting bytes is the same under all.
func oddly(p *profiles.Profile) []wire.Delivery {
	if p.Name == p.Speaks.Standard {
		return []wire.Delivery{wire.DeliverSSE, wire.DeliverSplit, wire.DeliverComments}
	}
	return []wire.Delivery{wire.DeliverSSE}
}

// said is what a loop can know of an answer.
type said struct {
	Text, Reasoning string
	Calls           []wire.AnswerCall
	Signatures      []string
	Finish          wire.Finish
}

func of(a *wire.Answer) said {
	got := said{Text: a.Text, Finish: a.Finish}
	if a.Reasoning != nil {
		got.Reasoning = *a.Reasoning
	}
	for _, c := range a.Calls {
		c.As, c.Approved = "", ""
		if c.LooseID != "" {
			c.ID, c.LooseID = c.LooseID, ""
		}
		if wire.BlankArguments(c.Arguments) {
			c.Arguments = "{}"
		}
		if v := jsontext.Value(c.Arguments); strings.Contains(c.Arguments, "\n") && v.Compact() == nil {
			c.Arguments = string(v) // where they are an object, an event has one line
		}
		got.Calls = append(got.Calls, c)
	}
	for _, d := range a.Details {
		if d.Text+d.Signature+d.Data == "" { // some providers write nothing for a block that says nothing
			continue
		}
		got.Signatures = append(got.Signatures, d.Signature+d.Data)
	}
	return got
}

func compare(t *testing.T, where string, turn *scenarios.Turn, got *wire.Answer, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return
	}
	if want, got := of(turn.Answer), of(got); !reflect.DeepEqual(want, got) { // which takes a tenth of the time of a Diff
		t.Errorf("%s: %s", where, cmp.Diff(want, got))
	}
}
