package scenarios

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// ProviderItem is what a tool on the provider's side did, in dialects whose answers are lists of
// items. Which keys it has depends on its type.
type ProviderItem struct {
	// Type is the word of the dialect: web_search_call, file_search_call, code_interpreter_call,
	// mcp_list_tools, mcp_call, mcp_approval_request, tool_search_call or tool_search_output.
	Type string `yaml:"type"`

	Query     string   `yaml:"query"`          // of a search of the web or of files
	Code      string   `yaml:"code"`           // of an interpreter
	Server    string   `yaml:"server"`         // of MCP
	Tools     []string `yaml:"tools"`          // the names of those that the server has, or that are searched for or found
	Tool      string   `yaml:"tool"`           // of the server, which is called
	Arguments string   `yaml:"arguments,json"` // of the call
	Output    string   `yaml:"output"`         // what came of the search, the code or the call
	Fail      string   `yaml:"fail"`           // why nothing came of the call

	// As is the name by which the scenario speaks of a request for an approval, and ApprovedBy
	// names the one before a call.
	As         string `yaml:"as"`
	ApprovedBy string `yaml:"approved-by"`

	// Denied says that the user does not allow the call.
	Denied bool `yaml:"denied"`
}

// itemKeys are the keys that items of a type have to have, and those that they may have besides.
var itemKeys = map[string]struct{ needed, allowed []string }{
	"web_search_call":       {needed: []string{"query"}},
	"file_search_call":      {needed: []string{"query"}, allowed: []string{"output"}},
	"code_interpreter_call": {needed: []string{"code"}, allowed: []string{"output"}},
	"mcp_list_tools":        {needed: []string{"server", "tools"}},
	"mcp_call":              {needed: []string{"server", "tool"}, allowed: []string{"arguments", "output", "fail", "approved-by"}},
	"tool_search_call":      {needed: []string{"tools"}},
	"tool_search_output":    {needed: []string{"tools"}},
	wire.ApprovalRequest:    {needed: []string{"as", "server", "tool"}, allowed: []string{"arguments", "denied"}},
}

// providerItemTypes returns the types of items that a scenario can have, sorted.
func providerItemTypes() []string {
	var all []string
	for kind := range itemKeys {
		all = append(all, kind)
	}
	slices.Sort(all)
	return all
}

// keys returns the keys that an item has, alongside its type.
func (i ProviderItem) keys() (keys []string) {
	for _, k := range []struct {
		key string
		set bool
	}{
		{"query", i.Query != ""}, {"code", i.Code != ""}, {"server", i.Server != ""}, {"tools", len(i.Tools) > 0}, {"tool", i.Tool != ""},
		{"arguments", i.Arguments != ""}, {"output", i.Output != ""}, {"fail", i.Fail != ""}, {"as", i.As != ""},
		{"approved-by", i.ApprovedBy != ""}, {"denied", i.Denied},
	} {
		if k.set {
			keys = append(keys, k.key)
		}
	}
	return keys
}

// providerItems checks the items of a step. asked are the names of the requests for approvals
// before it.
func (c *checker) providerItems(here string, step Step, asked map[string]bool) {
	for i, item := range step.ProviderItems {
		here := here + at("provider-items", i)
		form, known := itemKeys[item.Type]
		if !known {
			c.word(here+"/type", "type of an item", item.Type, providerItemTypes())
			continue
		}
		has := item.keys()
		for _, key := range form.needed {
			c.expect(slices.Contains(has, key), here, "an item of the type %s needs the key %s", item.Type, key)
		}
		for _, key := range has {
			ok := slices.Contains(form.needed, key) || slices.Contains(form.allowed, key)
			c.expect(ok, here+"/"+key, "an item of the type %s has no key %s", item.Type, key)
		}
		c.expect(item.Output == "" || item.Fail == "", here, "a call has an output or fails, not both")
		c.expect(item.ApprovedBy == "" || asked[item.ApprovedBy], here+"/approved-by", "no item of the type %s before this step has the name %q", wire.ApprovalRequest, item.ApprovedBy)
		if item.As != "" {
			c.expect(!asked[item.As], here+"/as", "the name %q is taken", item.As)
			c.expect(!c.prompted() || c.needs(protocol.Approvals), here, "a scenario that asks the user about calls needs loops that answer: `needs: [approvals]`")
			asked[item.As] = true
		}
	}
}

// freeText checks a tool whose input is a text.
func (c *checker) freeText(here string, t Tool) {
	if !t.FreeText {
		return
	}
	c.expect(len(t.Parameters)+len(t.JSONSchema) == 0, here+"/parameters", "a tool whose input is a free text has no parameters")
	c.expect(!c.prompted() || c.needs(protocol.CustomTools), here+"/free-text", "a scenario with tools whose input is a free text needs loops that have them: `needs: [custom-tools]`")
}

// FreeText reports whether a tool takes a free text as its input.
func (s *Scenario) FreeText(tool string) bool {
	t := s.Tool(tool)
	return t != nil && t.FreeText
}

// Approved returns the tools of servers of MCP whose calls the user allows, of those about which
// the provider asks.
func (s *Scenario) Approved() []string {
	var names []string
	for _, step := range s.Model {
		for _, item := range step.ProviderItems {
			if item.Type == wire.ApprovalRequest && !item.Denied && !slices.Contains(names, item.Tool) {
				names = append(names, item.Tool)
			}
		}
	}
	return names
}

// items returns the items of a step with their ids, which are drawn in the style of the provider.
func (c *compiler) items(step *Step, number int) []wire.ProviderItem {
	var items []wire.ProviderItem
	for n, i := range step.ProviderItems {
		place := strconv.Itoa(number) + "/" + strconv.Itoa(n)
		prefix := c.script.Profile.Traits.ProviderItems[i.Type]
		item := wire.ProviderItem{
			Type: i.Type, Query: i.Query, Code: i.Code, Server: i.Server, Tools: i.Tools, Name: i.Tool, Arguments: i.Arguments,
			Output: i.Output, Error: i.Fail, Approval: c.ids[approval(i.ApprovedBy)], Denied: i.Denied,
			ID: profiles.MustPattern(prefix+"_{hex:50}").Expand(digest.New(c.secret, c.script.Scenario.ID, "item", place, c.place+c.asked), "", 0),
		}
		if i.As != "" {
			c.ids[approval(i.As)] = item.ID
		}
		items = append(items, item)
	}
	return items
}

// approval is where the id of a request for an approval is kept, apart from those of calls.
func approval(as string) string {
	if as == "" {
		return ""
	}
	return "approval " + strings.TrimSpace(as)
}
