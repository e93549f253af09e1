package selfcheck

import (
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

var update = flag.Bool("update", false, "write testdata/departures.yaml again")

const departuresFile = "testdata/departures.yaml"

// standard are the profiles that claim to have the keys of their reference and no others.
var standard = []string{"openai"}

// kinds maps what is sent to how it departs from the reference.
type kinds map[Kind][]string

// TestEverySampleIsDecodedByTheSDK holds how each profile departs from the reference of its dialect
// against what is written down.
func TestEverySampleIsDecodedByTheSDK(t *testing.T) {
	samples, err := Samples()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]map[Kind]departures{}
	for _, s := range samples {
		differences, err := Decode(s)
		if err != nil {
			t.Error(err)
		}
		if found[s.Profile] == nil {
			found[s.Profile] = map[Kind]departures{Completion: {}, Chunk: {}, Message: {}, Event: {}, Response: {}, ResponseEvent: {}}
		}
		for _, d := range differences {
			found[s.Profile][s.Kind][d] = true
		}
	}
	got := map[string]kinds{}
	for profile, byKind := range found {
		got[profile] = kinds{}
		for kind, d := range byKind {
			if len(d) > 0 {
				got[profile][kind] = slices.Sorted(maps.Keys(d))
			}
		}
	}
	t.Logf("%d samples of %d profiles", len(samples), len(got))
	for _, profile := range standard {
		if len(got[profile]) > 0 {
			t.Errorf("%s claims to be standard and departs from the reference: %v", profile, got[profile])
		}
	}
	if *update {
		write(t, got)
	}
	if diff := cmp.Diff(read(t), got); diff != "" {
		t.Errorf("departures from the reference (-want +got); after a look, write them with: go test . -update\n%s", diff)
	}
}

func read(t *testing.T) map[string]kinds {
	t.Helper()
	data, err := os.ReadFile(departuresFile)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]kinds{}
	if err := yaml.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

func write(t *testing.T, got map[string]kinds) {
	t.Helper()
	data, err := yaml.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	head := "# How the answers of each profile depart from the reference of its dialect, as the official Go SDK of that one sees them.\n# Written by: go test . -update\n"
	if err := os.WriteFile(departuresFile, append([]byte(head), data...), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestDepartures: what the SDK finds is found.
func TestDepartures(t *testing.T) {
	for _, c := range []struct {
		name string
		kind Kind
		json string
		want []string
	}{
		{"an empty object", Chunk, `{}`, []string{"lacks choices", "lacks created", "lacks id", "lacks model", "lacks object"}},
		{"an odd type", Chunk, `{"choices":[],"created":"today","id":"1","model":"m","object":"chat.completion.chunk"}`, []string{"has an odd created"}},
		{"deep inside", Chunk, `{"choices":[{"index":0,"delta":{"tool_calls":[{"function":{"more":1}}],"reasoning":"x"}}],"created":1,"id":"1","model":"m","object":"chat.completion.chunk"}`,
			[]string{"adds choices/*/delta/reasoning", "adds choices/*/delta/tool_calls/*/function/more", "lacks choices/*/delta/tool_calls/*/index"}},
		{"a call", Completion, `{"choices":[{"index":0,"finish_reason":"stop","logprobs":null,"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":[{"id":"1","type":"function","index":0,"function":{"name":"f","arguments":"{}"}}]}}],"created":1,"id":"1","model":"m","object":"chat.completion"}`,
			[]string{"adds choices/*/message/tool_calls/*/index"}},
		{"a block that the SDK does not know", Event, `{"type":"content_block_start","index":0,"content_block":{"type":"haiku"}}`, []string{"has an unknown content_block/type"}},
		{"an event that the SDK does not know", Event, `{"type":"something_new"}`, []string{"has an unknown type"}},
		{"a message", Message, `{"id":"m","type":"message","role":"assistant","model":"m","container":null,"diagnostics":null,"content":[{"type":"thinking","thinking":"x","more":1}],"stop_details":null,"stop_reason":"end_turn","usage":{"input_tokens":[],"cache_creation":null,"cache_creation_input_tokens":null,"cache_read_input_tokens":null,"inference_geo":null,"output_tokens":1,"output_tokens_details":null,"server_tool_use":null,"service_tier":null}}`,
			[]string{"adds content/*/more", "has an odd usage/input_tokens", "lacks content/*/signature", "lacks stop_sequence", "lacks usage/speed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Decode(Sample{Kind: c.kind, JSON: []byte(c.json)})
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("%v, (-want +got):\n%s", err, diff)
			}
		})
	}
}
