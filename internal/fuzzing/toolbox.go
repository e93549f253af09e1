package fuzzing

import (
	"github.com/loopproof/loopproof/internal/scenarios"
)

// toolbox are the tools that conversations offer and call, the plainest first.
var toolbox = []scenarios.Tool{
	{Name: "get_weather", Description: "The weather in a city.", Parameters: []scenarios.Property{{Name: "city", Type: "string"}}},
	{Name: "get_time", Description: "The time."},
	{Name: "find_trains", Description: "Trains from one city to another.", Parameters: []scenarios.Property{{Name: "from", Type: "string"}, {Name: "to", Type: "string"}}},
	{Name: "get_price", Description: "The price of a share on a day.", Parameters: []scenarios.Property{{Name: "share", Type: "string"}, {Name: "day", Type: "integer?"}}},
	{Name: "list_files", Description: "The files of a folder.", Parameters: []scenarios.Property{{Name: "folder", Type: "string"}, {Name: "hidden", Type: "boolean?"}}},
	{Name: "plot", Description: "Draws points.", Parameters: []scenarios.Property{{Name: "points", Type: "array"}, {Name: "style", Type: "object?"}, {Name: "scale", Type: "number?"}}},
}

// customTool is a tool that takes a text, and freeTexts are such texts.
var (
	customTool = scenarios.Tool{Name: "run_sql", Description: "Runs an SQL query.", FreeText: true}
	freeTexts  = []string{"SELECT 1", "SELECT count(*) FROM users\nWHERE age > 25", `{"city":"Oslo"}`, "naïve, 東京, 👩‍🚀", `say "hi", with a \`}
)

// unknownTools are names of tools that the model makes up, the plainest first. Objects in
// JavaScript have a constructor by birth.
var unknownTools = []string{"open_browser", "constructor"}

// toolNamed returns the tool of a name, or nil where the model makes one up.
func toolNamed(name string) *scenarios.Tool {
	for i := range toolbox {
		if toolbox[i].Name == name {
			return &toolbox[i]
		}
	}
	if name == customTool.Name {
		return &customTool
	}
	return nil
}
