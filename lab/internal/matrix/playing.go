package matrix

import (
	"maps"
	"path"
	"slices"
	"strings"

	"al.essio.dev/pkg/shellescape"
)

// Language says how adapters in it are set up and started.
type Language struct {
	Setup func(folder string) [][]string // commands, from the root of the repository
	start func(folder string) []string
}

var languages = map[string]*Language{
	"go": {
		Setup: func(folder string) [][]string {
			return [][]string{{"go", "build", "-C", folder, "-o", path.Base(folder), "."}}
		},
		start: func(folder string) []string { return []string{path.Join(folder, path.Base(folder))} },
	},
	"java": {
		Setup: func(folder string) [][]string {
			return [][]string{{"mvn", "--batch-mode", "--quiet", "--file", folder, "package"}}
		},
		start: func(folder string) []string { return []string{"java", "-jar", path.Join(folder, "target/adapter.jar")} },
	},
	"node": {
		Setup: func(folder string) [][]string {
			return [][]string{{"npm", "ci", "--no-audit", "--no-fund", "--prefix", folder}}
		},
		start: func(folder string) []string { return []string{"node", path.Join(folder, "adapter.mjs")} },
	},
	"python": {
		Setup: func(folder string) [][]string {
			return [][]string{
				{"python3", "-m", "venv", path.Join(folder, ".venv")},
				{path.Join(folder, ".venv/bin/pip"), "install", "--quiet", "--requirement", path.Join(folder, "requirements.txt")},
			}
		},
		start: func(folder string) []string {
			return []string{path.Join(folder, ".venv/bin/python"), path.Join(folder, "adapter.py")}
		},
	},
	"rust": {
		Setup: func(folder string) [][]string {
			return [][]string{{"cargo", "build", "--quiet", "--locked", "--manifest-path", path.Join(folder, "Cargo.toml")}}
		},
		start: func(folder string) []string { return []string{path.Join(folder, "target/debug", path.Base(folder))} },
	},
}

// languageNames returns the languages, in order.
func languageNames() string {
	return strings.Join(slices.Sorted(maps.Keys(languages)), ", ")
}

// Language returns how the adapter is set up and started, by the folder that it is in; nil where
// there is no such language.
func (f *LoopFile) Language() *Language {
	parts := strings.Split(f.Adapter, "/")
	if len(parts) != 4 || !strings.HasPrefix(f.Adapter, adapters) {
		return nil
	}
	return languages[parts[2]]
}

const adapters = "lab/adapters/"

// Ours reports whether this repository has what plays the loop: an adapter, or the description of
// an agent.
func (f *LoopFile) Ours() bool { return f.IsAgent() || strings.HasPrefix(f.Adapter, adapters) }

// IsAgent reports whether the loop is a program that needs no adapter.
func (f *LoopFile) IsAgent() bool { return f.Agent != "" }

// Source returns what Loopproof has of the loop: the folder of its adapter, or the description of
// the agent.
func (f *LoopFile) Source() string {
	if f.IsAgent() {
		return "agents/" + f.Agent + ".yaml"
	}
	return f.Adapter
}

// Known returns the file of known failures, or "".
func (f *LoopFile) Known() string {
	switch {
	case f.KnownFailing == "":
		return ""
	case f.IsAgent():
		return path.Join("agents/known-failing", f.KnownFailing)
	default:
		return path.Join(f.Adapter, f.KnownFailing)
	}
}

// Judged returns the arguments of loopproof run that say what is judged.
func (f *LoopFile) Judged() []string {
	if f.IsAgent() {
		return []string{"--runner", "agent", "--agent", f.Agent}
	}
	command := append(f.Language().start(f.Adapter), f.Args...)
	if f.Checkout != "" {
		command = append(command, f.Checkout)
	}
	return append([]string{"--"}, command...)
}

// Again returns the command that plays the loop.
func (f *LoopFile) Again() string {
	if !f.Ours() {
		return f.Command
	}
	command := []string{"loopproof", "run"}
	if f.Timeout > 0 {
		command = append(command, "--timeout", f.Timeout.String())
	}
	return shellescape.QuoteCommand(append(command, f.Judged()...))
}

// SetUp returns the commands that set the loop up on any machine.
func (f *LoopFile) SetUp() []string {
	commands := [][]string{{"npm", "install", "--global", f.Package}}
	switch {
	case !f.Ours():
		return f.Setup
	case !f.IsAgent():
		commands = f.Language().Setup(f.Adapter)
	}
	var all []string
	for _, c := range commands {
		all = append(all, shellescape.QuoteCommand(c))
	}
	return all
}
