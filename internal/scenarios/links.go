package scenarios

import (
	"fmt"
	"hash/fnv"
)

// Link is a block of a result that links to a resource, which the server of MCP has under a URI that
// ends with the name.
type Link struct{ Name, URI, Text string }

// Links returns the links in a result.
func (r *Result) Links() (links []Link) {
	for _, b := range r.More {
		if b.Link == "" {
			continue
		}
		h := fnv.New32a()
		h.Write([]byte(b.Link))
		name := fmt.Sprintf("note-%08x", h.Sum32())
		links = append(links, Link{Name: name, URI: "loopproof://linked/" + name, Text: b.Link})
	}
	return links
}

// Links returns the links in the results of all tools.
func (s *Scenario) Links() (links []Link) {
	for _, t := range s.AllTools() {
		for i := range t.Results {
			links = append(links, t.Results[i].Links()...)
		}
	}
	return links
}
