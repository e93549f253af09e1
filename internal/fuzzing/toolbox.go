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

// lateTools are tools of a server of MCP that changes its list: the first one opens what the second
// one looks into, and what the third one is for is done then.
var lateTools = []scenarios.Tool{
	{Name: "unlock_vault", Description: "Opens the vault.", Parameters: []scenarios.Property{{Name: "code", Type: "string"}}},
	{Name: "look_inside", Description: "Says what is on a shelf of the vault.", Parameters: []scenarios.Property{{Name: "shelf", Type: "integer"}}, Listed: scenarios.Listed{ListedAfter: "unlock_vault"}},
	{Name: "knock", Description: "Knocks at the closed vault.", Parameters: []scenarios.Property{{Name: "times", Type: "integer"}}, Listed: scenarios.Listed{ListedUntil: "unlock_vault"}},
}

// agents are tools that are agents. What they return is what their model says last.
var agents = []scenarios.Tool{
	agent(&scenarios.Agent{
		Name: "weather_desk", Description: "Knows the weather. Ask it in a sentence.", System: "You answer questions about the weather from measurements alone.",
		Tools: []scenarios.Tool{
			{Name: "measure", Description: "Measures the temperature in a city.", Parameters: []scenarios.Property{{Name: "city", Type: "string"}, {Name: "hour", Type: "integer?"}}},
			{Name: "list_stations", Description: "The stations where something is measured."},
		},
	}),
	agent(&scenarios.Agent{
		Name: "price_desk", Description: "Knows what things cost. Ask it in a sentence.", System: "You compare the prices of things.",
		Tools: []scenarios.Tool{{Name: "look_up_price", Description: "What a thing costs.", Parameters: []scenarios.Property{{Name: "thing", Type: "string"}}}},
	}),
}

func agent(a *scenarios.Agent) scenarios.Tool {
	return scenarios.Tool{Name: a.Name, Description: a.Description, Parameters: []scenarios.Property{{Name: scenarios.AgentPrompt, Type: "string"}}, Agent: a}
}

// unknownTools are names of tools that the model makes up, the plainest first. Objects in
// JavaScript have a constructor by birth.
var unknownTools = []string{"open_browser", "constructor"}

// toolNamed returns the tool of a name, or nil where the model makes one up.
func toolNamed(name string) *scenarios.Tool {
	for _, all := range [][]scenarios.Tool{toolbox, {customTool}, lateTools, agents, agents[0].Agent.Tools, agents[1].Agent.Tools} {
		for i := range all {
			if all[i].Name == name {
				return &all[i]
			}
		}
	}
	return nil
}
