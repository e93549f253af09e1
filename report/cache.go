package report

import (
	"cmp"
	"fmt"

	"github.com/loopproof/loopproof/internal/textlayout"
)

// Cache says how much of its prompts a loop sent in a form that the provider's prompt cache does
// not know again. The cache knows the beginning of a prompt, up to the first difference to what was
// sent before; what comes after that is paid in full.
type Cache struct {
	Conversations int `json:"conversations"` // cases with a second request
	Broken        int `json:"broken"`        // those of them in which a request did not begin like the one before it

	// Bytes are those of the tools and messages that were sent in these, and were to be sent again.
	Bytes int `json:"bytes"`
	Lost  int `json:"lost"` // of these bytes, that came after the first difference

	// From is the number of the first request that did not begin like the one before it, the lowest
	// one of all cases; 0: there is none.
	From int `json:"from,omitempty"`

	// Rule is the rule that the example breaks; "" where the loop does so by design.
	Rule    string        `json:"rule,omitempty"`
	Example *CacheExample `json:"example,omitempty"` // nil: there is none
}

// CacheExample is a request that did not begin like the one before it.
type CacheExample struct {
	Case    string    `json:"case"`    // id of the case
	Before  CachePart `json:"before"`  // what was sent first
	Request CachePart `json:"request"` // what came in its place
}

// CachePart is the first part of a request that differs from another one.
type CachePart struct {
	Number  int    `json:"number"`  // of the request, from 1
	Pointer string `json:"pointer"` // JSON pointer into it
	Text    string `json:"text"`    // what is there, as JSON; a long one is shortened
}

// String says in a sentence what is lost, "" where nothing is.
func (c *Cache) String() string {
	if c == nil || c.Broken == 0 {
		return ""
	}
	text := fmt.Sprintf("the cached prefix is lost in %d of %s, from request %d on; there %s of what was sent before is paid in full again",
		c.Broken, textlayout.Count(c.Conversations, "conversation"), c.From, c.share())
	if c.Rule != "" {
		text += " (" + c.Rule + ")"
	}
	return text
}

// share returns the share of the bytes that are lost, in per cent.
func (c *Cache) share() string {
	percent := 100 * c.Lost / max(c.Bytes, 1)
	if percent == 0 {
		return "less than 1 %"
	}
	return fmt.Sprintf("%d %%", percent)
}

// Add returns the sum of what these cases and others say. Either may be nil: nothing. The first
// example stays.
func (c *Cache) Add(other *Cache) *Cache {
	if c == nil || other == nil {
		return cmp.Or(c, other)
	}
	sum := *c
	sum.Conversations += other.Conversations
	sum.Broken += other.Broken
	sum.Bytes += other.Bytes
	sum.Lost += other.Lost
	if sum.From == 0 || other.From > 0 && other.From < sum.From {
		sum.From = other.From
	}
	if sum.Example == nil {
		sum.Rule, sum.Example = other.Rule, other.Example
	}
	return &sum
}

// writeCache says what is lost of the cache, with the two requests one below the other.
func writeCache(s *textlayout.Builder, c *Cache) {
	s.Item("cache", c.String())
	if c == nil || c.Example == nil {
		return
	}
	for _, part := range []CachePart{c.Example.Before, c.Example.Request} {
		s.Row(fmt.Sprintf("  request %d  ", part.Number), part.Pointer+"  "+textlayout.Shorten(part.Text, 200))
	}
	s.Row("  in  ", c.Example.Case)
}
