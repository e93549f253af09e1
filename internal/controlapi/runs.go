package controlapi

import (
	"encoding/json"
	"net/http"

	"github.com/loopproof/loopproof/internal/journal"
)

func (c *api) listRuns(w http.ResponseWriter, r *http.Request) {
	views := []runView{}
	for _, run := range c.provider.ShownRuns() {
		views = append(views, viewRun(run, baseOf(r)))
	}
	reply(w, http.StatusOK, map[string]any{"runs": views})
}

func (c *api) beginRun(w http.ResponseWriter, r *http.Request) {
	var wanted Wanted
	if _, err := decode(r, &wanted); err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	run, err := c.provider.BeginRun(wanted)
	if err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	w.Header().Set("Location", c.prefix+"/runs/"+run.ID)
	v := viewRun(run, baseOf(r))
	v.Environment = c.environment(run, baseOf(r))
	if run.Task != nil {
		v.Task = run.Task(baseOf(r))
	}
	reply(w, http.StatusCreated, v)
}

// baseOf returns the URL under which a client reached us.
func baseOf(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

func (c *api) showRun(w http.ResponseWriter, r *http.Request) {
	if run, ok := c.found(w, r); ok {
		reply(w, http.StatusOK, viewRun(run, baseOf(r)))
	}
}

func (c *api) forgetRun(w http.ResponseWriter, r *http.Request) {
	run, ok := c.found(w, r)
	if !ok {
		return
	}
	if !c.provider.ForgetRun(run.ID) {
		refuse(w, http.StatusConflict, "the run %s does not end as long as the server runs; reset it", run.ID)
		return
	}
	c.ok(w)
}

func (c *api) resetRun(w http.ResponseWriter, r *http.Request) {
	if run, ok := c.found(w, r); ok {
		c.provider.ResetRun(run.ID)
		c.ok(w)
	}
}

// added is what is added to a run: steps of a script, as objects or as texts in YAML.
type added struct {
	Answers []json.RawMessage `json:"answers"`
}

func (c *api) addAnswers(w http.ResponseWriter, r *http.Request) {
	run, ok := c.found(w, r)
	if !ok {
		return
	}
	var wanted added
	if _, err := decode(r, &wanted); err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	steps := make([]string, len(wanted.Answers))
	for i, answer := range wanted.Answers {
		if json.Unmarshal(answer, &steps[i]) != nil { // an object is JSON, which is YAML, too
			steps[i] = string(answer)
		}
	}
	if err := c.provider.AddAnswers(run.ID, steps); err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	c.ok(w)
}

// releasing names what is let go.
type releasing struct {
	Hold string `json:"hold"`
}

func (c *api) release(w http.ResponseWriter, r *http.Request) {
	run, ok := c.found(w, r)
	if !ok {
		return
	}
	var wanted releasing
	if _, err := decode(r, &wanted); err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	if wanted.Hold == "" {
		refuse(w, http.StatusBadRequest, `hold is missing: the name after "until" in the hold of a step`)
		return
	}
	if err := c.provider.Release(run.ID, wanted.Hold); err != nil {
		refuse(w, http.StatusConflict, "%v", err)
		return
	}
	c.ok(w)
}

func (c *api) ok(w http.ResponseWriter) {
	reply(w, http.StatusOK, map[string]string{"status": "ok"})
}

func (c *api) showReport(w http.ResponseWriter, r *http.Request) {
	if run, ok := c.found(w, r); ok {
		reply(w, http.StatusOK, run.Journal.Report(c.provider.Version()))
	}
}

func (c *api) showRequest(w http.ResponseWriter, r *http.Request) {
	if e, ok := c.foundEntry(w, r); ok {
		reply(w, http.StatusOK, viewRequest(e, true))
	}
}

func (c *api) showBody(w http.ResponseWriter, r *http.Request) {
	c.showBytes(w, r, "the body of request", func(e journal.Entry) (http.Header, []byte) { return e.Header, e.Body() })
}

func (c *api) showAnswer(w http.ResponseWriter, r *http.Request) {
	c.showBytes(w, r, "the answer to request", func(e journal.Entry) (http.Header, []byte) { return e.Answer.Header, e.Answer.Body() })
}

// showBytes answers with the bytes of one side of an exchange, under the type that they had.
func (c *api) showBytes(w http.ResponseWriter, r *http.Request, what string, side func(journal.Entry) (http.Header, []byte)) {
	e, ok := c.foundEntry(w, r)
	switch {
	case !ok:
	case e.Forgotten:
		refuse(w, http.StatusGone, "%s %d was forgotten to save memory", what, e.Number)
	default:
		header, body := side(e)
		plain(w, header.Get("Content-Type"), body)
	}
}
