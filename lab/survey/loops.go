package main

import (
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/strictyaml"
)

const loopsFile = "lab/adapters/loops.yaml"

// loopList is the file of all loops.
type loopList struct {
	Loops []loop `yaml:"loops"`
}

// loop is a public loop; the file describes its fields.
type loop struct {
	Name     string        `yaml:"name"`
	Title    string        `yaml:"title"`
	Short    string        `yaml:"short"`
	Adapter  string        `yaml:"adapter"`
	Args     []string      `yaml:"args"`
	Agent    string        `yaml:"agent"`
	Package  string        `yaml:"package"`
	Checkout string        `yaml:"checkout"`
	List     string        `yaml:"list"`
	Timeout  time.Duration `yaml:"timeout"`
}

func readLoops(file string) (*loopList, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("run this at the root of the repository: %w", err)
	}
	var list loopList
	doc, err := strictyaml.Read(file, data, &list)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i, l := range list.Loops {
		at := fmt.Sprintf("/loops/%d", i)
		switch {
		case l.Name == "" || l.Title == "" || (l.Adapter == "") == !l.isAgent():
			return nil, doc.Errorf(at, "a loop has a name, a title and an adapter, or an agent instead")
		case seen[l.Name]:
			return nil, doc.Errorf(at+"/name", "there are two loops %s", l.Name)
		case l.isAgent() && l.Package == "":
			return nil, doc.Errorf(at, "an agent has a package of npm, with its version")
		case !l.isAgent() && languages[l.language()].start == nil:
			return nil, doc.Errorf(at+"/adapter", "an adapter is lab/adapters/LANGUAGE/NAME, the languages are %s", languageNames())
		}
		seen[l.Name] = true
	}
	return &list, nil
}

// language is that of the adapter: it is under a folder of that name.
func (l loop) language() string {
	parts := strings.Split(l.Adapter, "/")
	if len(parts) != 4 || parts[0] != "lab" || parts[1] != "adapters" {
		return ""
	}
	return parts[2]
}

// page is the file with what was found.
func (l loop) page() string { return "docs/findings/" + l.Name + ".md" }

// known is the file of known failures, or "".
func (l loop) known() string {
	if l.List == "" {
		return ""
	}
	if l.isAgent() {
		return path.Join("agents/known-failing", l.List)
	}
	return path.Join(l.Adapter, l.List)
}

// source is what Loopproof has of the loop: the folder of its adapter, or the description of the agent.
func (l loop) source() string {
	if l.isAgent() {
		return "agents/" + l.Agent + ".yaml"
	}
	return l.Adapter
}

// judged are the arguments of loopproof run that say what is judged.
func (l loop) judged() []string {
	if l.isAgent() {
		return []string{"--runner", "agent", "--agent", l.Agent}
	}
	return append([]string{"--"}, l.command()...)
}

// command starts the adapter.
func (l loop) command() []string {
	command := append(languages[l.language()].start(l.Adapter), l.Args...)
	if l.Checkout != "" {
		command = append(command, l.Checkout)
	}
	return command
}
