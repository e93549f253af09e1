package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// judged is what a report says, without what differs from run to run.
type judged struct {
	result string
	rest   map[string]any // all but the cases
	cases  map[string]any // by id
}

// differing reports whether the values of a key differ from run to run: times, and how many cases
// were played again alone since the machine was too busy.
func differing(key string) bool {
	return key == "started" || key == "replayed" || strings.HasSuffix(key, "_ms")
}

// drawnAnew is what differs from run to run within a text: names of runs, ports, and dates of HTTP.
var drawnAnew = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`/run/[0-9a-f]{12}\b|127\.0\.0\.1:[0-9]+|\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT`)
})

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
	j := &judged{result: fmt.Sprint(report["result"]), rest: repeatable(report).(map[string]any), cases: map[string]any{}}
	list, _ := j.rest["cases"].([]any)
	for _, c := range list {
		if fields, ok := c.(map[string]any); ok {
			j.cases[fmt.Sprint(fields["id"])] = c
		}
	}
	delete(j.rest, "cases")
	return j
}

// measured is a time that was measured, such as 4.01s, in what a finding says of the loop.
var measured = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b\d+(\.\d+)?m?s\b`) })

// repeatable returns what is the same in each run of the same seed.
func repeatable(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for key, v := range value {
			switch {
			case differing(key):
			case key == "actual":
				kept[key] = measured().ReplaceAllString(fmt.Sprint(v), "…")
			case key == "tools":
				kept[key] = sorted(repeatable(v))
			default:
				kept[key] = repeatable(v)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(value))
		for i, v := range value {
			kept[i] = repeatable(v)
		}
		return kept
	case string:
		return drawnAnew().ReplaceAllString(value, "…")
	default:
		return value
	}
}

// sorted brings the runs of tools into one order: those of parallel calls begin in any.
func sorted(value any) any {
	list, ok := value.([]any)
	if !ok {
		return value
	}
	slices.SortStableFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return list
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
