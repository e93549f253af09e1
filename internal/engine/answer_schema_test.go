package engine_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
)

// An answer that does not fit the schema of the task comes only where the request does not have the
// provider ensure it.
func TestAnswersOutsideOfAnEnsuredSchema(t *testing.T) {
	const (
		story = `
needs: [answer-schema]
answer-schema:
  type: object
  properties: {degrees: {type: number}}
  required: [degrees]
  additionalProperties: false
model:
  - text: '{"place":"Oslo"}'
  - text: '{"degrees":4}'
`
		misfit, fit = `{\"place\":\"Oslo\"}`, `{\"degrees\":4}`
		format      = `{"type":"object","properties":{"degrees":{"type":"number"}},"required":["degrees"],"additionalProperties":false}`
	)
	for name, test := range map[string]struct{ format, says string }{
		"no format":       {"", misfit},
		"JSON, any":       {`,"response_format":{"type":"json_object"}`, misfit},
		"not strict":      {`,"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":` + format + `}}`, misfit},
		"strict: ensured": {`,"response_format":{"type":"json_schema","json_schema":{"name":"a","strict":true,"schema":` + format + `}}`, fit},
	} {
		t.Run(name, func(t *testing.T) {
			_, base := begin(t, start(t, engine.Config{}), story, engine.RunConfig{})
			got := ask(t, base, `{"model":"m","messages":[{"role":"user","content":"Answer in JSON."}]`+test.format+`}`)
			if !got.says(test.says) {
				t.Errorf("the answer is %s, without %s", got.body, test.says)
			}
		})
	}
}
