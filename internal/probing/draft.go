package probing

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
)

// draft is a profile as it is written, in the order of its keys.
type draft struct {
	Loopproof int       `yaml:"loopproof"`
	Title     string    `yaml:"title"`
	Like      string    `yaml:"like"`
	About     string    `yaml:"about"`
	Docs      []string  `yaml:"docs"`
	Seen      string    `yaml:"seen"`
	Takes     []string  `yaml:"takes,omitempty"`
	Refuses   []refusal `yaml:"refuses,omitempty"`
}

type refusal struct {
	Rule    string           `yaml:"rule"`
	Status  int              `yaml:"status"`
	Message string           `yaml:"message"`
	KnownBy profiles.KnownBy `yaml:"known-by"`
	Sources []string         `yaml:"sources"`
}

// Draft returns a profile of the server: the one that it is most alike to, with what the server takes and
// refuses otherwise. answers says where its answers are kept, which is the source of each refusal, and
// seen the day. What no rule is about is listed in a comment.
func (r *Result) Draft(ctx context.Context, title, answers, seen string) ([]byte, error) {
	best := r.Profiles[0]
	d := draft{
		Loopproof: 1, Title: title, Like: best.Name, Docs: []string{r.URL}, Seen: seen,
		About: fmt.Sprintf("What the server at %s answered on %s to %d requests. Everything else is that of %s, and was not looked at.", r.URL, seen, len(r.Answers), best.Name),
	}
	var unknown []string
	for _, diff := range best.Differences {
		switch rule := r.ruleOf(ctx, best.Profile, diff); {
		case diff.Status < http.StatusBadRequest:
			d.take(diff.Rule)
		case rule == "":
			unknown = append(unknown, fmt.Sprintf("#   %s: %d %s", diff.Request, diff.Status, strings.ReplaceAll(diff.Message, "\n", " ")))
		default:
			d.refuse(refusal{rule, diff.Status, diff.Message, profiles.Measured, []string{answers}})
		}
	}
	d.Takes = slices.DeleteFunc(d.Takes, func(rule string) bool { return r.refusesSome(ctx, best.Profile, rule) })
	text, err := yaml.Dump(d)
	head := "# Written by loopproof probe. Read each entry: one request was asked for it.\n"
	if len(unknown) > 0 {
		head += "# Refused, and of no rule that a profile can name:\n" + strings.Join(unknown, "\n") + "\n"
	}
	return append([]byte(head), text...), err
}

func (d *draft) take(rule string) {
	if !slices.Contains(d.Takes, rule) {
		d.Takes = append(d.Takes, rule)
	}
}

func (d *draft) refuse(new refusal) {
	if !slices.ContainsFunc(d.Refuses, func(old refusal) bool { return old.Rule == new.Rule }) {
		d.Refuses = append(d.Refuses, new)
	}
}

// ruleOf returns the rule by which a request is refused that the profile takes, or "".
func (r *Result) ruleOf(ctx context.Context, p *profiles.Profile, diff Difference) string {
	i := slices.IndexFunc(r.Answers, func(a Answer) bool { return a.Request == diff.Request })
	for _, f := range rulebook.CheckRequest(ctx, p, nil, &trace.Exchange{Request: r.Answers[i].read}) {
		if rule := rulebook.Lookup(f.Rule); rule != nil && rule.Refuser() != nil {
			return f.Rule
		}
	}
	return ""
}

// refusesSome reports whether the server refuses a request by the rule, although it takes another one
// that the provider refuses by it.
func (r *Result) refusesSome(ctx context.Context, p *profiles.Profile, rule string) bool {
	refuser := rulebook.NewRefuser(p)
	for i := range r.Answers {
		if a := &r.Answers[i]; a.Refused() {
			for refused := range refuser.Refusals(ctx, a.read) {
				if refused.Rule == rule {
					return true
				}
				break
			}
		}
	}
	return false
}
