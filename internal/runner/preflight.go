package runner

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

const preflightScenario = `# Before all else: does the loop talk to us at all?
loopproof: 1
title: One question, one answer
prompt: Say hello.
model:
  - text: Hello.
`

// preflight plays one text-only task, so that a loop that never calls the mock provider gets one
// error within seconds, and not one for every case.
func (p *player) preflight(ctx context.Context) error {
	s, err := scenarios.Parse("preflight.yaml", []byte(preflightScenario), rulebook.Vocabulary(p.plan.known))
	if err != nil {
		return err
	}
	first := p.plan.known.All()[0]
	for _, c := range p.plan.Cases {
		first = p.plan.profiles[c.Profile]
		break
	}
	delivery := wire.DeliverJSON
	if !trace.MatchesDelivery(p.plan.Hello.Deliveries, delivery) {
		delivery = wire.DeliverSSE.In(first.Frames())
	}
	config := engine.RunConfig{Scenario: s, Profile: first, Delivery: delivery, Lenient: true, AnswerBy: claims.AnswerTool(p.plan.Hello)}
	p.tellAsItIs(&config)
	run := p.server.StartRun(config)
	defer p.server.EndRun(run)
	task := run.Task(p.server.URL)
	p.waitFor("the loop's first answer")
	task.ID, task.TimeoutMS = "preflight", int(p.start.Milliseconds())
	soon, cancel := context.WithTimeout(ctx, p.start)
	defer cancel()
	ending := p.session.RunTask(soon, task)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	exchanges, _ := run.Record()
	return p.diagnose(ending, exchanges, task.BaseURL, p.elsewhere(run, first))
}

// elsewhere says at which other path a loop asked the mock provider that never asked it for a turn,
// and at which it should have, or returns "".
func (p *player) elsewhere(run *engine.Run, of *profiles.Profile) string {
	for _, e := range p.server.Journal().Snapshot() {
		if e.Method == http.MethodPost {
			return fmt.Sprintf("asked the mock provider at %s %s, and not at /run/%s%s", e.Method, e.Path(), run.ID, of.Speaks.Endpoint.Path())
		}
	}
	return ""
}

// diagnose says what is wrong with a loop that did not get as far as one text, or nil.
func (p *player) diagnose(e loops.Ending, exchanges []*trace.Exchange, url, elsewhere string) error {
	called, requests, check := "called the mock provider", len(exchanges), ""
	switch {
	case requests > 0:
	case elsewhere != "":
		called, check = elsewhere, "the base URL of the task is "+url+": clients append the rest of the path to it\n"
	default:
		called, check = "never called the mock provider at "+url, p.told+"\n"+proxies(os.Environ())
	}
	switch {
	case p.endsByTool(e, exchanges) != "":
		return &loops.PreflightError{Problem: fmt.Sprintf("preflight: the loop offers the model the tool %s, and did not take a text for the answer; if the model is to answer by that tool, "+
			"as the documentation of the loop says, name the design %s: docs/adapters.md#designs", p.endsByTool(e, exchanges), protocol.AnswersByTool), Note: p.note(e.Note)}
	case e.How == trace.Crashed || e.How == loops.Lost:
		return &loops.PreflightError{Problem: "preflight: the loop " + called + ", and crashed at a task that asks for one text", Note: e.Note}
	case e.How == trace.Hung:
		return &loops.PreflightError{Problem: "preflight: the loop " + called + ", and reported no outcome within " + p.start.String() + " (--start-timeout, Config.StartTimeout)", Note: p.note(check + e.Note)}
	case requests == 0:
		return &loops.PreflightError{Problem: "preflight: the loop " + called, Note: p.note(check + outcomeNote(e))}
	}
	return nil
}

// proxies names the proxy that an environment has for requests to the mock provider, or is "": a
// loop inherits it.
func proxies(environment []string) string {
	set := map[string]string{}
	for _, variable := range environment {
		name, value, _ := strings.Cut(variable, "=")
		set[strings.ToLower(name)] = value
	}
	for _, host := range strings.Split(set["no_proxy"], ",") {
		if host = strings.TrimSpace(host); host == "*" || host == "127.0.0.1" || strings.HasPrefix(host, "127.0.0.0/") {
			return ""
		}
	}
	for _, name := range []string{"http_proxy", "all_proxy"} {
		if set[name] != "" {
			return strings.ToUpper(name) + " is set, and NO_PROXY does not name 127.0.0.1, so that requests may go to the proxy\n"
		}
	}
	return ""
}

// told says where a task has the address of the mock provider, for loops that do not call it.
func told(l loops.Loop, spoken []*wire.Dialect) string {
	var names []string
	for _, d := range spoken {
		if name := d.Endpoint.URLVariable(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	variables := strings.Join(names, " or ")
	switch l.(type) {
	case loops.Func:
		return "the client has to call Task.BaseURL, with Task.APIKey; " + names[0] + " and its like are not set"
	case loops.Agent:
		return "the description of the agent has to give it the URL {base_url}, by an argument, a variable or a file; docs/agents.md has examples"
	case loops.Command, *loops.Command:
		return "the client has to call the URL in " + variables + ", or {base_url} in the arguments; " +
			"see that no configuration and no proxy overrides it"
	default:
		return "the client has to call the base_url of the task; " + variables + " of the environment, or a proxy, may override it"
	}
}

// endingTool is how tools are called by which the model ends a conversation.
var endingTool = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)final|answer|finish|submit|respond|complete|done`)
})

// endsByTool returns the tool by which a loop seems to want the answer that it did not take, or "".
// The preflight has no tools, so that all which are offered are the loop's own.
func (p *player) endsByTool(e loops.Ending, exchanges []*trace.Exchange) string {
	if e.How == trace.Reported && e.Outcome.Status == protocol.Completed || claims.AnswerTool(p.plan.Hello) != nil {
		return ""
	}
	for _, x := range exchanges {
		if x.Request == nil {
			continue
		}
		for _, t := range x.Request.Tools {
			if endingTool().MatchString(t.Name) {
				return t.Name
			}
		}
	}
	return ""
}

// note puts what the loop did wrong alongside the task before what is known about the task.
func (p *player) note(note string) string {
	if err := p.faults(); err != nil {
		return err.Error() + "\n" + note
	}
	return note
}

func outcomeNote(e loops.Ending) string {
	note := "it reported the status " + string(e.Outcome.Status)
	if e.Outcome.Reason != "" {
		note += " (" + e.Outcome.Reason + ")"
	}
	if e.Outcome.Error != "" {
		note += ": " + e.Outcome.Error
	}
	return note + "\n" + e.Note
}
