package refloop

import "github.com/loopproof/loopproof/internal/refloop/neutral"

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

// sent returns a message as it goes to the model that is asked: a turn of another one without what
// that alone reads, in its own wire API or in any.
func (c *conversation) sent(m neutral.Message) neutral.Message {
	switch {
	case m.Model == "" || m.Model == c.model:
		return m
	case c.isSecond(m.Model) != c.isSecond(c.model):
		return c.loop.OfAnotherAPI(c.task, m)
	default:
		return c.loop.OfAnother(c.task, m)
	}
}
