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
		{"in small letters, with underscores", []string{"get-weather", "getWeather", "github__list_issues"}, []string{"get_weather", "getweather", "github__list_issues"}, map[string]string{"get-weather": "get_weather", "getWeather": "getweather", "github__list_issues": "github__list_issues"}, ""},
		{"in small letters, with underscores, in a namespace", []string{"get-weather", "getWeather"}, []string{"mcp__my__get_weather", "mcp__my__getweather"}, map[string]string{"get-weather": "mcp__my__get_weather", "getWeather": "mcp__my__getweather"}, ""},
		{"with dashes", []string{"get_weather", "Get_Weather", "getWeather"}, []string{"get-weather", "Get-Weather", "getWeather"}, map[string]string{"get_weather": "get-weather", "Get_Weather": "Get-Weather", "getWeather": "getWeather"}, ""},
		{"without separators", []string{"get-weather", "getWeather"}, []string{"getweather", "getWeather"}, map[string]string{"get-weather": "getweather", "getWeather": "getWeather"}, ""},
		{"one for two", []string{"get-weather", "get_weather"}, []string{"get_weather"}, map[string]string{"get_weather": "get_weather"}, ""},
		{"small for two", []string{"get-weather", "Get_weather"}, []string{"get_weather"}, map[string]string{"get-weather": "get_weather"}, ""},
		{"none", []string{"look"}, nil, map[string]string{}, ""},
		{"known, beside one of the loop's own", []string{"look"}, []string{"look", "mcp__eyes__look"}, map[string]string{"look": "mcp__eyes__look"}, "mcp__eyes__{tool}"},
		{"known, with an underscore for a dash", []string{"get-weather", "getWeather"}, []string{"mcp.getWeather", "mcp.get_weather"}, map[string]string{"get-weather": "mcp.get_weather", "getWeather": "mcp.getWeather"}, "mcp.{tool}"},
		{"known, and the underscore is another tool's", []string{"get-weather", "get_weather"}, []string{"mcp.get_weather"}, map[string]string{"get_weather": "mcp.get_weather"}, "mcp.{tool}"},
		{"known, in small letters", []string{"get-weather", "getWeather"}, []string{"mcp.get_weather", "mcp.getweather", "getWeather"}, map[string]string{"get-weather": "mcp.get_weather", "getWeather": "mcp.getweather"}, "mcp.{tool}"},
		{"known, and in a namespace in it", []string{"look"}, []string{"mcp.eyes.look"}, map[string]string{}, "mcp.{tool}"},
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

// TestOfferedAsDescribed has names that are equal once they are spelled in one way, so that the
// loop numbers them, or puts a hash after them, and only the descriptions tell which is which.
func TestOfferedAsDescribed(t *testing.T) {
	const first, second, third = "The weather.", "Another weather.", "A third weather."
	tools := []scenarios.Tool{{Name: "get-weather", Description: first}, {Name: "get_weather", Description: second}, {Name: "Get_weather", Description: third}}
	for _, c := range []struct {
		name    string
		tools   []scenarios.Tool
		offered []wire.ToolDefinition
		want    map[string]string
	}{
		{"numbered", tools, []wire.ToolDefinition{
			{Name: "get_weather", Description: first}, {Name: "get_weather_2", Description: second}, {Name: "get_weather_3", Description: third},
		}, map[string]string{"get-weather": "get_weather", "get_weather": "get_weather_2", "Get_weather": "get_weather_3"}},
		{"with a hash, and more in the description", tools, []wire.ToolDefinition{
			{Name: "my_get_weather_a1", Description: first + " Ask for a city."}, {Name: "my_get_weather_b2", Description: second}, {Name: "my_get_weather_c3", Description: third},
		}, map[string]string{"get-weather": "my_get_weather_a1", "get_weather": "my_get_weather_b2", "Get_weather": "my_get_weather_c3"}},
		{"cut", []scenarios.Tool{{Name: "a_name_of_some_forty_characters_in_all", Description: "A long name."}}, []wire.ToolDefinition{
			{Name: "a_name_of_some_forty_3fa9", Description: "A long name."},
		}, map[string]string{"a_name_of_some_forty_characters_in_all": "a_name_of_some_forty_3fa9"}},
		{"under their own names, whatever they say", tools[:2], []wire.ToolDefinition{
			{Name: "get-weather", Description: second}, {Name: "get_weather", Description: first},
		}, map[string]string{"get-weather": "get-weather", "get_weather": "get_weather"}},
		{"under another name", tools[:1], []wire.ToolDefinition{{Name: "tool_1", Description: first}}, map[string]string{}},
		{"two alike", []scenarios.Tool{{Name: "look", Description: "Look."}}, []wire.ToolDefinition{
			{Name: "look_1", Description: "Look."}, {Name: "look_2", Description: "Look."},
		}, map[string]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &scenarios.Scenario{Tools: c.tools}
			if diff := cmp.Diff(c.want, s.OfferedAs(c.offered, "")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
