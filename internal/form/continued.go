package form

import (
	"maps"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// items checks the items of a list. Of its messages it leaves out those of the request before if they
// were without a breach.
func (c *checker) items(n *Node, list *wire.Node) {
	if list != c.list {
		for _, item := range list.Items {
			c.node(n.Items, place{in: list, value: item}, true)
		}
		return
	}
	type checked struct {
		by *Node
		of wire.Provider
	}
	by, others, before := checked{n, c.of}, c.result.Kinds, len(c.result.Breaches)
	good, what := c.request.Found(by)
	known, _ := what.(map[string]bool)
	c.result.Kinds = maps.Clone(known)
	for _, item := range list.Items[good:] {
		c.node(n.Items, place{in: list, value: item}, true)
	}
	kinds := c.result.Kinds
	if len(c.result.Breaches) == before && c.result.More == nil {
		c.request.NoteFound(by, kinds)
	}
	c.result.Kinds = others
	c.seen(slices.Collect(maps.Keys(kinds)))
}
