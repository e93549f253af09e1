package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
)

// judged is what a report says, without times.
type judged struct {
	result string
	rest   map[string]any // all but the cases
	cases  map[string]any // by id
}

// timeKeys are the keys of a report whose values differ from run to run: times, and how many cases were played again alone since
// the machine was too busy.
var timeKeys = []string{"started", "duration_ms", "replayed"}

func readReport(file string) (*judged, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	return newJudged(all), nil
}

func newJudged(report map[string]any) *judged {
	j := &judged{result: fmt.Sprint(report["result"]), rest: withoutTimes(report).(map[string]any), cases: map[string]any{}}
	list, _ := j.rest["cases"].([]any)
	for _, c := range list {
		if fields, ok := c.(map[string]any); ok {
			j.cases[fmt.Sprint(fields["id"])] = c
		}
	}
	delete(j.rest, "cases")
	return j
}

func withoutTimes(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for key, v := range value {
			if !slices.Contains(timeKeys, key) {
				kept[key] = withoutTimes(v)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(value))
		for i, v := range value {
			kept[i] = withoutTimes(v)
		}
		return kept
	default:
		return value
	}
}

// differences names what another report says otherwise: keys of the report, and cases.
func (j *judged) differences(other *judged) []string {
	var found []string
	for _, key := range bothKeys(j.rest, other.rest) {
		if !reflect.DeepEqual(j.rest[key], other.rest[key]) {
			found = append(found, "the key "+key)
		}
	}
	for _, id := range bothKeys(j.cases, other.cases) {
		if !reflect.DeepEqual(j.cases[id], other.cases[id]) {
			found = append(found, "the case "+id)
		}
	}
	return found
}

func bothKeys(a, b map[string]any) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}
