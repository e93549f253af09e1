package refloop

import (
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// use lets the conversation go on with a model, in its own wire API.
func (c *conversation) use(model string) {
	c.model = model
	if c.task.SecondAPI == nil {
		return
	}
	at := c.first
	if c.isSecond(model) {
		at = *c.task.SecondAPI
	}
	c.task.Dialect, c.task.BaseURL, c.task.Profile = at.Dialect, at.BaseURL, at.Profile
	c.dialect = DialectOf(c.task)
}

// isSecond reports whether a model is the one that is asked in a second wire API.
func (c *conversation) isSecond(model string) bool {
	return c.task.SecondAPI != nil && model == c.task.SecondAPI.Model
}

// sent returns the messages as they go to the model that is asked: turns of another one without what
// that alone reads, in its own wire API or in any.
func (c *conversation) sent(all []neutral.Message) (sent []neutral.Message) {
	for _, m := range all {
		switch {
		case c.task.SecondAPI != nil && hasImages(m): // which the APIs take in different places
			sent = append(sent, c.dialect.Answer(c.task, m.Results())...)
		case m.Model == "" || m.Model == c.model:
			sent = append(sent, m)
		case c.isSecond(m.Model) != c.isSecond(c.model):
			sent = append(sent, c.loop.OfAnotherAPI(c.task, m))
		default:
			sent = append(sent, c.loop.OfAnother(c.task, m))
		}
	}
	return sent
}

// hasImages reports whether a message consists of results, and some have images.
func hasImages(m neutral.Message) bool {
	results := m.Results()
	return len(results) == len(m.Parts) && slices.ContainsFunc(results, func(r *neutral.Result) bool { return r.Image != nil })
}
