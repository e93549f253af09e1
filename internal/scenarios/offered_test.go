package scenarios_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestOfferedAs(t *testing.T) {
	for _, c := range []struct {
		name           string
		tools, offered []string
		want           map[string]string
		named          string
	}{
		{"as they are", []string{"look", "deep_look"}, []string{"deep_look", "look"}, map[string]string{"look": "look", "deep_look": "deep_look"}, ""},
		{"in the namespace of a plugin", []string{"get_weather"}, []string{"weather-get_weather", "bash"}, map[string]string{"get_weather": "weather-get_weather"}, ""},
		{"in that of a server", []string{"look", "deep_look"}, []string{"mcp__eyes__look", "mcp__eyes__deep_look"}, map[string]string{"look": "mcp__eyes__look", "deep_look": "mcp__eyes__deep_look"}, ""},
		{"each in its own", []string{"look", "listen"}, []string{"eyes.look", "ears.listen"}, map[string]string{"look": "eyes.look", "listen": "ears.listen"}, ""},
		{"spelled otherwise", []string{"get_weather", "get_time"}, []string{"getWeather", "get-time"}, map[string]string{"get_weather": "getWeather", "get_time": "get-time"}, ""},
		{"spelled otherwise in a namespace", []string{"get_weather"}, []string{"plugin_getWeather"}, map[string]string{"get_weather": "plugin_getWeather"}, ""},
		{"the same name goes before a namespace", []string{"look"}, []string{"deep_look", "look"}, map[string]string{"look": "look"}, ""},
		{"nobody can tell", []string{"look"}, []string{"a_look", "b_look"}, map[string]string{}, ""},
		{"another word", []string{"look"}, []string{"outlook"}, map[string]string{}, ""},
		{"none", []string{"look"}, nil, map[string]string{}, ""},
		{"known, beside one of the loop's own", []string{"look"}, []string{"look", "mcp__eyes__look"}, map[string]string{"look": "mcp__eyes__look"}, "mcp__eyes__{tool}"},
		{"known, with an underscore for a dash", []string{"get-weather", "getWeather"}, []string{"mcp.getWeather", "mcp.get_weather"}, map[string]string{"get-weather": "mcp.get_weather", "getWeather": "mcp.getWeather"}, "mcp.{tool}"},
		{"known, and the underscore is another tool's", []string{"get-weather", "get_weather"}, []string{"mcp.get_weather"}, map[string]string{"get_weather": "mcp.get_weather"}, "mcp.{tool}"},
		{"known, and only one of the loop's own", []string{"look"}, []string{"look"}, map[string]string{}, "mcp__eyes__{tool}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &scenarios.Scenario{}
			for _, name := range c.tools {
				s.Tools = append(s.Tools, scenarios.Tool{Name: name})
			}
			var offered []wire.ToolDefinition
			for _, name := range c.offered {
				offered = append(offered, wire.ToolDefinition{Name: name})
			}
			if diff := cmp.Diff(c.want, s.OfferedAs(offered, c.named)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
