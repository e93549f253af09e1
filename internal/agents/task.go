package agents

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/protocol"
)

// MCPURL is replaced by the URL of the MCP server of a task.
const MCPURL = "{mcp_url}"

const (
	toolPlaceholder = "{tool}" // in the name of a tool alone
	maxTurns        = "{max_turns}"
	contextLimit    = "{context_limit}"
	system          = "{system}"
)

// unlimited is how many tokens a request may have in a task that names no limit: more than any has.
const unlimited = 1_000_000

// placeholders are replaced by the values of a task, in commands, environment and files.
var placeholders = []string{"{prompt}", system, "{model}", "{base_url}", "{api_key}", MCPURL, maxTurns, contextLimit, "{home}", "{work}", "{loopproof}"}

// Launch is an agent ready to be started for a task, in a home of its own.
type Launch struct {
	Home, Work string
	Env        []string // the whole environment

	description *Description
	values      []string // of the placeholders
}

// kept are the variables of our own environment that an agent gets: nothing of what configures it
// for its user.
var kept = []string{"PATH", "LANG", "LC_ALL", "TZ", "TERM", "SystemRoot", "ComSpec", "PATHEXT", "SSL_CERT_FILE", "SSL_CERT_DIR"}

// Prepare makes a home for a task and writes the files of the description into it. The caller has
// to call Remove.
func (d *Description) Prepare(task protocol.Task) (*Launch, error) {
	home, err := os.MkdirTemp("", "loopproof-agent-")
	if err != nil {
		return nil, err
	}
	l := &Launch{Home: home, Work: filepath.Join(home, "work"), description: d}
	self, err := os.Executable()
	if err != nil {
		self = "loopproof"
	}
	l.values = []string{
		system, task.System, "{model}", task.Model, "{base_url}", task.BaseURL, "{api_key}", task.APIKey,
		MCPURL, task.MCPURL, maxTurns, strconv.Itoa(task.MaxTurns), contextLimit, strconv.Itoa(cmp.Or(task.ContextLimit, unlimited)), "{home}", home, "{work}", l.Work, "{loopproof}", self,
	}
	l.Env = l.environment()
	if err := l.write(); err != nil {
		l.Remove()
		return nil, err
	}
	return l, nil
}

// Remove removes the home.
func (l *Launch) Remove() { os.RemoveAll(l.Home) }

func (l *Launch) write() error {
	if err := os.Mkdir(l.Work, 0o777); err != nil {
		return err
	}
	for name, text := range l.description.Files {
		file := filepath.Join(l.Home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(l.fill(text, "")), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func (l *Launch) environment() []string {
	env := []string{
		"HOME=" + l.Home, "USERPROFILE=" + l.Home, "XDG_CONFIG_HOME=" + filepath.Join(l.Home, ".config"), "XDG_DATA_HOME=" + filepath.Join(l.Home, ".local", "share"),
		"XDG_STATE_HOME=" + filepath.Join(l.Home, ".local", "state"), "XDG_CACHE_HOME=" + filepath.Join(l.Home, ".cache"),
		"NO_PROXY=127.0.0.1,localhost",
	}
	for _, name := range append(slices.Clone(kept), l.description.KeepEnv...) {
		if value, is := os.LookupEnv(name); is {
			env = append(env, name+"="+value)
		}
	}
	for name, value := range l.description.Env {
		env = append(env, name+"="+l.fill(value, ""))
	}
	slices.Sort(env)
	return env
}

// fill replaces the placeholders in a text.
func (l *Launch) fill(text, prompt string) string {
	return strings.NewReplacer(append([]string{"{prompt}", prompt}, l.values...)...).Replace(text)
}

// CommandFor returns the command for a prompt, the first or a further one, and whether the prompt
// is among its arguments.
func (l *Launch) CommandFor(prompt string, first bool) (command []string, inArguments bool) {
	words := l.description.Command
	if !first {
		words = l.description.Next
	}
	for _, word := range words {
		inArguments = inArguments || strings.Contains(word, "{prompt}")
		command = append(command, l.fill(word, prompt))
	}
	return command, inArguments
}

// mentions reports whether a placeholder is in a command, in the environment or in a file.
func (d *Description) mentions(placeholder string) bool {
	has := func(text string) bool { return strings.Contains(text, placeholder) }
	if slices.ContainsFunc(d.Command, has) {
		return true
	}
	for _, texts := range []map[string]string{d.Env, d.Files} {
		for _, text := range texts {
			if has(text) {
				return true
			}
		}
	}
	return false
}

// TakesSystem reports whether the agent is handed the system prompt of a task.
func (d *Description) TakesSystem() bool { return d.mentions(system) }
