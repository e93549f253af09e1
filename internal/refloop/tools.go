package refloop

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// runTools runs the calls of a turn at the same time and returns their results in the order of the
// calls. Whatever happens to a call, it gets a result: an error that the model can read.
func (c *conversation) runTools(ctx context.Context, calls []*neutral.Call) []*neutral.Result {
	results := make([]*neutral.Result, len(calls))
	announced := c.callerRecord.announce(calls)
	decided := c.decideCalls(ctx, calls)
	var running sync.WaitGroup
	for i, call := range calls {
		if r := c.storedResult(call, i); r != nil {
			results[i] = r
			continue
		}
		running.Go(func() {
			r := &neutral.Result{CallID: call.ID, Name: call.Name, FreeText: call.FreeText, Caller: call.Caller()}
			err := decided[i].refused
			if err == nil {
				err = c.runTool(ctx, call, decided[i].instead, r)
			}
			if err != nil && context.Cause(ctx) == errInterrupted {
				err = errInterrupted
			}
			if err != nil {
				r.Text, r.Failed = "Error: "+err.Error(), true
			}
			results[i] = r
			c.storeResult(r, i, len(calls))
			c.callerRecord.complete(announced[i], r.Text, err)
		})
	}
	running.Wait()
	c.callerRecord.keepResults(results)
	return results
}

// decision is what the user has decided about a call; the zero value lets it be run as it is.
type decision struct {
	refused error  // why it is not run
	instead string // the arguments with which it is run; "" is its own
}

// decideCalls asks the user about all calls of a turn that need an approval, and returns a decision
// for each call. A call that cannot be run is not asked about.
func (c *conversation) decideCalls(ctx context.Context, calls []*neutral.Call) []decision {
	all := make([]decision, len(calls))
	var asked []protocol.PendingCall
	var places []int
	for i, call := range calls {
		all[i].refused = c.refusedAnswer(call, calls)
		tool, ok := c.find(call.Name)
		if !ok || !tool.NeedsApproval || c.storedResult(call, i) != nil {
			continue
		}
		if arguments, err := ArgumentsFor(tool, call); err == nil {
			asked = append(asked, protocol.PendingCall{ID: call.ID, Name: call.Name, Arguments: json.RawMessage(arguments)})
			places = append(places, i)
		}
	}
	if len(asked) == 0 {
		return all
	}
	decisions, err := c.task.Decide(ctx, asked...)
	for n, i := range places {
		switch {
		case err != nil:
			all[i].refused = fmt.Errorf("not run, since the user did not decide: %w", err)
		case !decisions[n].Approve:
			all[i].refused = fmt.Errorf("not run, since the user did not allow it: %s", cmp.Or(decisions[n].Reason, "no reason was given"))
		default:
			all[i].instead = string(decisions[n].Arguments)
		}
	}
	return all
}

// runTool runs a call, with its own arguments or those that the user approved instead.
func (c *conversation) runTool(ctx context.Context, call *neutral.Call, instead string, r *neutral.Result) error {
	if _, is := c.isAnswer(call); is {
		r.Text = answerTaken
		return nil
	}
	tool, ok := c.find(call.Name)
	if !ok {
		return fmt.Errorf("there is no tool %q; the tools are %s", call.Name, strings.Join(c.toolNames(), ", "))
	}
	arguments, err := ArgumentsFor(tool, call)
	if err != nil {
		return err
	}
	ended := c.callerRecord.execute(call, arguments)
	if tool.Agent != nil {
		err = c.delegate(ctx, tool, cmp.Or(instead, arguments), r)
	} else {
		err = c.post(ctx, tool, cmp.Or(instead, arguments), r)
	}
	ended(err)
	return err
}

// ArgumentsFor returns the arguments with which a tool is run, if they fit it.
func ArgumentsFor(tool protocol.Tool, call *neutral.Call) (string, error) {
	if tool.FreeText {
		return call.Arguments, nil
	}
	arguments := strings.TrimSpace(call.Arguments)
	if arguments == "" || arguments == "null" { // providers were seen to say "no arguments" so
		arguments = "{}"
	}
	if err := check(tool.Parameters, arguments); err != nil {
		return "", fmt.Errorf("%w; the parameters of %s are %s", err, tool.Name, tool.Parameters)
	}
	return arguments, nil
}

func (c *conversation) post(ctx context.Context, tool protocol.Tool, arguments string, r *neutral.Result) error {
	if tool.URL == "" {
		return c.callMCP(ctx, tool.Name, arguments, r)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, tool.URL, strings.NewReader(arguments))
	if err != nil {
		return err
	}
	req.Header.Set(protocol.CallIDHeader, r.CallID)
	resp, err := c.loop.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s", body)
	}
	if err != nil {
		return err
	}
	if mediaType := resp.Header.Get("Content-Type"); strings.HasPrefix(mediaType, "image/") {
		r.Image = &neutral.Image{MediaType: mediaType, Data: body}
		return nil
	}
	r.Text = string(body)
	return nil
}

func (c *conversation) find(name string) (protocol.Tool, bool) {
	for _, t := range c.task.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return protocol.Tool{}, false
}

func (c *conversation) toolNames() []string {
	var names []string
	for _, t := range c.task.Tools {
		names = append(names, t.Name)
	}
	return names
}

// check validates arguments by the part of JSON Schema that the tools of a task use: an object, its
// required properties, and the type of each.
func check(schema json.RawMessage, arguments string) error {
	var want struct {
		Properties map[string]struct {
			Type string `json:"type"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	if err := json.Unmarshal(schema, &want); err != nil {
		return err
	}
	var args map[string]any
	if err := json.Unmarshal([]byte(arguments), &args); err != nil {
		return fmt.Errorf("the arguments are not a JSON object: %s", arguments)
	}
	for _, name := range want.Required {
		if _, ok := args[name]; !ok {
			return fmt.Errorf("the argument %q is missing", name)
		}
	}
	for name, value := range args {
		if p, ok := want.Properties[name]; ok && !isA(p.Type, value) {
			return fmt.Errorf("the argument %q is not of the type %s", name, p.Type)
		}
	}
	return nil
}

func isA(typ string, value any) bool {
	switch v := value.(type) {
	case string:
		return typ == "string"
	case bool:
		return typ == "boolean"
	case float64:
		return typ == "number" || typ == "integer" && v == math.Trunc(v)
	case map[string]any:
		return typ == "object"
	case []any:
		return typ == "array"
	default:
		return false
	}
}
