package refloop

import (
	"encoding/json"
	"strings"
)

// mostMisfits is how often the model is asked for another answer where one does not fit the schema
// of the task.
const mostMisfits = 2

// InForm returns a system prompt which says that the answer fits a schema; nil: it is of any form.
// The formats for answers that wire APIs have are not taken by every provider beside tools.
func InForm(system string, schema json.RawMessage) string {
	if schema == nil {
		return system
	}
	return strings.TrimSpace(system + "\n\nAnswer with a JSON object of this schema, and nothing else: " + string(schema))
}

// misfit says how an answer breaks the schema of the task; nil: it fits, or there is none.
func (c *conversation) misfit(answer string) error {
	if c.task.AnswerSchema == nil {
		return nil
	}
	return check(c.task.AnswerSchema, answer)
}
