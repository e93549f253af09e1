package main

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

// page returns the tables.
func (p *peers) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Mock servers\n\n<!-- cd lab && go run ./peers --write writes this file. -->\n\nMade on %s with", time.Now().UTC().Format("2 January 2006"))
	names := make([]string, len(p.Servers))
	for i, s := range p.Servers {
		names[i] = s.Name + " " + s.version
	}
	b.WriteString(" " + strings.Join(names, ", ") + `. Each server is started as a process, in the newest version that its registry has.
` + "`cd lab && go run ./peers --install`" + ` installs the others outside of the repository.

- [Tasks of a test](#tasks)
- [Clients](#clients)
- [Endpoints](#endpoints)
`)
	first := &p.Servers[0]
	if len(first.tasks) > 0 {
		p.taskTable(&b)
	}
	if len(first.clients) > 0 {
		p.clientTable(&b)
	}
	if len(first.answers) > 0 {
		p.endpointTable(&b)
	}
	return b.String()
}

func (p *peers) head(b *strings.Builder, columns string, sum func(*server) (good, all int)) {
	n := strings.Count(columns, "|") + 1
	fmt.Fprintf(b, "\n| %s |", columns)
	for _, s := range p.Servers {
		fmt.Fprintf(b, " %s %s |", s.Name, s.version)
	}
	fmt.Fprintf(b, "\n|%s\n|%s **all** |", strings.Repeat("---|", n+len(p.Servers)), strings.Repeat(" |", n-1))
	for i := range p.Servers {
		good, all := sum(&p.Servers[i])
		fmt.Fprintf(b, " **%d of %d** |", good, all)
	}
	b.WriteString("\n")
}

func (p *peers) taskTable(b *strings.Builder) {
	b.WriteString(`
## Tasks

What the test of an application asks of a mock provider: [each task](tasks.yaml) has checks, and a recipe for each server in the way that
its documentation shows. *by code* is a program around the server, where it is a library; *2 of 3* are the checks that hold.
`)
	p.head(b, "task", func(s *server) (good, all int) {
		for _, d := range s.tasks {
			if d != nil {
				all++
				if d.passed == d.all && d.no == "" {
					good++
				}
			}
		}
		return good, all
	})
	var notes []string
	for i, t := range p.tasks {
		fmt.Fprintf(b, "| %s |", t.Task)
		for _, s := range p.Servers {
			fmt.Fprintf(b, " %s |", s.tasks[i])
			if d := s.tasks[i]; d != nil && d.no != "" {
				notes = append(notes, fmt.Sprintf("- %s, %s: %s", t.Task, s.Name, d.no))
			} else if d != nil && len(d.wrong) > 0 {
				notes = append(notes, fmt.Sprintf("- %s, %s: %s", t.Task, s.Name, oneLine(strings.Join(d.wrong, "; "))))
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "\n<details><summary>What is not there, and where that stands</summary>\n\n%s\n\n</details>\n", strings.Join(notes, "\n"))
}

// oneLine shortens what a server said, without the addresses of this run.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "..."
	}
	return strings.NewReplacer("|", "\\|", "<", "&lt;").Replace(text)
}

func (p *peers) clientTable(b *strings.Builder) {
	b.WriteString(`
## Clients

Official SDKs and frameworks get a base URL and nothing else ([Python](clients.py), [JavaScript](clients.mjs)): they ask for a text, stream
one, call a tool and give its result back, and stream a call.
`)
	rows := map[string]map[string]bool{} // a client to what it does
	for _, s := range p.Servers {
		for key := range s.clients {
			name, what, _ := cutLast(key)
			if rows[name] == nil {
				rows[name] = map[string]bool{}
			}
			rows[name][what] = true
		}
	}
	names := make([]string, 0, len(rows))
	for name := range rows {
		names = append(names, name)
	}
	sort.Strings(names)
	p.head(b, "client | version", func(s *server) (good, all int) {
		for _, wrong := range s.clients {
			all++
			if wrong == "" {
				good++
			}
		}
		return good, all
	})
	for _, name := range names {
		fmt.Fprintf(b, "| %s |", strings.ReplaceAll(name, "\x00", " | "))
		for _, s := range p.Servers {
			fmt.Fprintf(b, " %s |", s.works(name, rows[name]))
		}
		b.WriteString("\n")
	}
}

func cutLast(key string) (name, what string, ok bool) {
	i := strings.LastIndexByte(key, 0)
	if i < 0 {
		return key, "", false
	}
	return key[:i], key[i+1:], true
}

// works is a cell: yes, or what does not work.
func (s *server) works(name string, whats map[string]bool) string {
	var not []string
	for what := range whats {
		if wrong, tried := s.clients[name+"\x00"+what]; !tried || wrong != "" {
			not = append(not, what)
		}
	}
	sort.Strings(not)
	switch len(not) {
	case 0:
		return "yes"
	case len(whats):
		return "no"
	}
	return "not " + strings.Join(not, ", ")
}

func (p *peers) endpointTable(b *strings.Builder) {
	b.WriteString(`
## Endpoints

Each server has one script that answers every prompt, and is asked for the same [list of endpoints](peers.yaml). It answers one where the
status is below 300 and the body has what the API always returns.
`)
	p.head(b, "API | endpoint", func(s *server) (good, all int) {
		for _, wrong := range s.answers {
			if wrong == "" {
				good++
			}
		}
		return good, len(s.answers)
	})
	for i, r := range p.Requests {
		fmt.Fprintf(b, "| %s | %s |", r.API, r.What)
		for _, s := range p.Servers {
			switch {
			case len(s.answers) == 0:
				b.WriteString(" |")
			case s.answers[i] == "":
				b.WriteString(" yes |")
			default:
				fmt.Fprintf(b, " %s |", s.answers[i])
			}
		}
		b.WriteString("\n")
	}
}
