package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// sampleTime is how long the playing of a sample may take.
const sampleTime = 10 * time.Second

// sample plays the shortest scenario that tests a rule to the reference loop, and shows how that
// keeps the rule.
func (b *book) sample(page *textlayout.Builder, rule *rules.Rule) {
	tests := b.breaking(rule) // where a violation would show
	if len(tests) == 0 {
		tests = b.tests(rule)
	}
	if len(tests) == 0 {
		return
	}
	foreign := func(s *scenarios.Scenario) int { // one of the rule's own area is about the rule itself
		if strings.HasPrefix(s.ID, rule.Area()+"/") {
			return 0
		}
		return 1
	}
	shortest := slices.MinFunc(tests, func(x, y *scenarios.Scenario) int {
		return cmp.Or(foreign(x)-foreign(y), weight(x)-weight(y))
	})
	c, ok := b.firstCase(shortest.ID)
	if !ok {
		return
	}
	run := b.play(c)
	if run == nil {
		return
	}
	heading(page, "Example: what the reference loop sends in "+c.ID())
	var before []wire.Message
	for _, x := range run.Exchanges {
		if x.Request != nil {
			request(page, x, len(before))
			before = x.Request.Messages
		}
	}
	for _, e := range run.Executions {
		gives := strconv.Quote(e.Result)
		if e.Image != nil {
			gives = e.Said()
		}
		page.Item("tool", textlayout.Shorten(fmt.Sprintf("%s runs with %s and gives %s", e.Tool, e.Arguments, gives), maxSample))
	}
	page.Item("outcome", outcome(run.Outcome))
}

// weight estimates how long a scenario is to read.
func weight(s *scenarios.Scenario) int {
	n := 10 * len(s.Prompts)
	for i := range s.Model {
		n += 2*max(1, s.Model[i].Times) + len(s.Model[i].Calls)
	}
	return n
}

// request shows the new messages of a request, and the keys of the first one.
func request(page *textlayout.Builder, x *trace.Exchange, known int) {
	label := fmt.Sprintf("request %d", x.Number)
	if known == 0 {
		page.Item(label, "with the keys "+strings.Join(x.Request.Body.Keys(), ", "))
		label = ""
	}
	fresh := x.Request.Messages[min(known, len(x.Request.Messages)):]
	if len(fresh) == 0 {
		page.Item(label, "no new messages")
	}
	for i, m := range fresh {
		if i > 0 {
			label = ""
		}
		page.Exact(label, textlayout.Shorten(string(m.Node.Raw), maxSample))
	}
}

// firstCase returns the plainest case of a scenario: under openai where it is played there, and as
// JSON.
func (b *book) firstCase(scenario string) (trace.Case, bool) {
	var found *trace.Case
	for i, c := range b.plan.Cases {
		if c.Scenario == scenario && (found == nil || c.Profile == "openai" && found.Profile != "openai") {
			found = &b.plan.Cases[i]
		}
	}
	if found == nil {
		return trace.Case{}, false
	}
	return *found, true
}

// play plays a case to the reference loop. It returns nil when it cannot be played.
func (b *book) play(c trace.Case) *trace.Run {
	run, _ := b.playLogged(context.Background(), c)
	return run
}

// playLogged is play, and returns the journal too.
func (b *book) playLogged(ctx context.Context, c trace.Case) (*trace.Run, []journal.Entry) {
	profile, err := profiles.Find(b.profiles, c.Profile)
	scenario := b.scenario(c.Scenario)
	if err != nil || scenario == nil {
		return nil, nil
	}
	server := engine.NewServer(engine.Config{})
	defer server.Close()
	ctx, cancel := context.WithTimeout(ctx, sampleTime)
	defer cancel()
	user := &user{cancel: cancel}
	started := server.StartRun(engine.RunConfig{
		Scenario: scenario, Profile: profile, Delivery: c.Delivery, Cut: c.Cut,
		Lenient: true, Secret: "sample", OnCancel: user.cancels,
	})
	task := started.Task(server.URL)
	task.PromptContext = user.says
	outcome := refloop.Loop{Backoff: referenceBackoff}.Run(ctx, task)
	run := &trace.Run{Case: c, Script: started.Script(), Task: task, Outcome: &outcome, Ending: trace.Ending{How: trace.Reported, At: started.Since()}}
	run.Exchanges, run.Executions = started.Record()
	return run, started.Journal().Snapshot()
}

// user cancels where a scenario says so.
type user struct {
	mu             sync.Mutex
	cancel, prompt context.CancelFunc // of the task, and of the latest prompt
}

func (u *user) says(ctx context.Context) context.Context {
	u.mu.Lock()
	defer u.mu.Unlock()
	ctx, u.prompt = context.WithCancel(ctx)
	return ctx
}

func (u *user) cancels(c scenarios.Cancel) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if c.Scope == protocol.ScopePrompt {
		u.prompt()
	} else {
		u.cancel()
	}
}

func outcome(o *protocol.Outcome) string {
	text := string(o.Status)
	if o.Text != "" {
		text += fmt.Sprintf(", text %q", textlayout.Shorten(o.Text, maxSample))
	}
	if o.Error != "" {
		text += fmt.Sprintf(", error %q", o.Error)
	}
	if o.Reason != "" {
		text += fmt.Sprintf(", reason %q", o.Reason)
	}
	return text
}

// maxSample is how much of a message is shown, in characters.
const maxSample = 320

// quotedShort writes a text in quotes, and only the beginning of a long one.
func quotedShort(text string) string { return textlayout.Shorten(fmt.Sprintf("%q", text), maxSample) }
