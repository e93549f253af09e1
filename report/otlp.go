package report

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"time"
)

// WriteOTLP writes the verdicts as events of OpenTelemetry, gen_ai.evaluation.result: one for each
// rule that is kept, and one for each case that breaks a rule. It is a line of OTLP in JSON, as a
// collector reads it from a file. Violations that follow from others are left out. The names are
// those of https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-events.md
func (r *Report) WriteOTLP(w io.Writer) error {
	scope := otlpScope{LogRecords: []otlpEvent{}}
	scope.Scope.Name, scope.Scope.Version = "github.com/loopproof/loopproof", r.Version
	ended := r.Started.Add(time.Duration(r.DurationMS) * time.Millisecond)
	add := func(label string, severity int, attributes ...otlpAttribute) {
		attributes = slices.DeleteFunc(attributes, func(a otlpAttribute) bool { return a.Value == otlpValue{} })
		scope.LogRecords = append(scope.LogRecords, otlpEvent{
			Time: strconv.FormatInt(ended.UnixNano(), 10), EventName: "gen_ai.evaluation.result", SeverityNumber: severity,
			Attributes: append(attributes, otlpText("gen_ai.evaluation.score.label", label)),
		})
	}
	for _, rule := range r.With(Passed) {
		add("pass", otlpInfo, otlpText("gen_ai.evaluation.name", rule.ID), otlpText("loopproof.level", string(rule.Level)), otlpNumber("loopproof.cases", rule.Cases))
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, id := range c.BrokenRules() {
			if c.Because(id) != "" {
				continue
			}
			f := c.first(id)
			add("fail", otlpSeverity(f.Level),
				otlpText("gen_ai.evaluation.name", id), otlpText("gen_ai.evaluation.explanation", f.text()),
				otlpText("loopproof.level", string(f.Level)), otlpText("loopproof.case", c.ID), otlpText("loopproof.profile", c.Profile),
				otlpNumber("loopproof.request", f.Request), otlpText("loopproof.pointer", f.Pointer))
		}
	}
	var all otlpLogs
	all.Resource.Attributes = []otlpAttribute{otlpText("service.name", r.Loop.Name)}
	if r.Loop.Version != "" {
		all.Resource.Attributes = append(all.Resource.Attributes, otlpText("service.version", r.Loop.Version))
	}
	all.ScopeLogs = []otlpScope{scope}
	return json.NewEncoder(w).Encode(struct {
		ResourceLogs []otlpLogs `json:"resourceLogs"`
	}{[]otlpLogs{all}})
}

// The severities of OpenTelemetry: https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-severitynumber
const otlpInfo, otlpWarn, otlpError = 9, 13, 17

func otlpSeverity(l Level) int {
	switch l {
	case Must:
		return otlpError
	case Should:
		return otlpWarn
	}
	return otlpInfo
}

type otlpLogs struct {
	Resource struct {
		Attributes []otlpAttribute `json:"attributes"`
	} `json:"resource"`
	ScopeLogs []otlpScope `json:"scopeLogs"`
}

type otlpScope struct {
	Scope struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	} `json:"scope"`
	LogRecords []otlpEvent `json:"logRecords"`
}

type otlpEvent struct {
	Time           string          `json:"timeUnixNano"`
	EventName      string          `json:"eventName"`
	SeverityNumber int             `json:"severityNumber"`
	Attributes     []otlpAttribute `json:"attributes"`
}

type otlpAttribute struct {
	Key   string    `json:"key"`
	Value otlpValue `json:"value"`
}

type otlpValue struct {
	Text   string `json:"stringValue,omitempty"`
	Number string `json:"intValue,omitempty"`
}

func otlpText(key, value string) otlpAttribute { return otlpAttribute{key, otlpValue{Text: value}} }

// otlpNumber is absent where it is 0.
func otlpNumber(key string, value int) otlpAttribute {
	if value == 0 {
		return otlpAttribute{Key: key}
	}
	return otlpAttribute{key, otlpValue{Number: strconv.Itoa(value)}}
}
