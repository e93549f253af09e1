package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/internal/probing"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// probe is one run of loopproof probe.
type probe struct {
	streams
	own     *ownFolders
	dialect string
	profile string
	classes []string
	model   string
	keyEnv  string
	draft   string
	asJSON  bool
	timeout time.Duration
}

func probeCommand(s streams) *cobra.Command {
	p := &probe{streams: s, own: &ownFolders{dialects: s.dialects}}
	cmd := &cobra.Command{
		Use:   "probe URL [flags]",
		Short: "Ask a provider or a server what it takes, and which profile it is like",
		Long: `Send requests to a provider, an inference server, a gateway or another mock, good ones and such as
differ from these in one point, and compare what it takes and refuses with the profiles. Some good
requests are asked for as streams, too.

Each request costs what a short answer of the server costs: some 150 of them, and about 400 more with
--class form. The URL is that of the server without the path of the wire API.

Exit codes: 0 the server was asked, and with --profile is like it; 1 it is not; 2 it cannot be asked.`,
		Example: `  loopproof probe http://localhost:11434 --model qwen3:0.6b
  loopproof probe http://localhost:8000 --dialect chat --profile vllm
  loopproof probe https://api.example.com --key-env EXAMPLE_API_KEY --model m --class pairing --class ids
  loopproof probe http://localhost:8080 --draft profiles/my-server.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name the server, as in: loopproof probe http://localhost:8080")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd.Context(), args[0]) },
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&p.dialect, "dialect", "", "the `wire API` to ask in: "+strings.Join(dialect.Names(dialect.All()), ", ")+" (default: each that the server speaks)")
	set.StringVar(&p.profile, "profile", "", "the `profile` that the server claims to be like")
	set.StringVar(&p.model, "model", "m", "the `name` of the model in each request")
	set.StringVar(&p.keyEnv, "key-env", "", "the environment `variable` with the API key")
	set.StringArrayVar(&p.classes, "class", nil, "ask requests of this `class` only, and good ones; repeatable, accepts patterns (default: all but form)")
	set.StringVar(&p.draft, "draft", "", "write a draft of a profile into this `file`, and the answers beside it")
	set.BoolVar(&p.asJSON, "json", false, "write JSON")
	set.DurationVar(&p.timeout, "timeout", time.Minute, "how long the server may take for an answer")
	p.own.registerProfiles(set)
	return cmd
}

func (p *probe) run(ctx context.Context, place string) error {
	place, err := serverURL(place)
	if err != nil {
		return err
	}
	_, known, err := p.own.readProfiles()
	if err != nil {
		return err
	}
	config := probing.Config{URL: place, Profiles: known.All(), Classes: p.classes, Model: p.model, Client: &http.Client{Timeout: p.timeout}}
	if config.Key, err = keyIn(p.keyEnv); err != nil {
		return err
	}
	spoken, err := p.spoken(ctx, config, known)
	if err != nil {
		return err
	}
	if len(spoken) > 1 && p.draft != "" {
		return fmt.Errorf("--draft: the server speaks %s: choose one with --dialect", strings.Join(dialect.Names(spoken), ", "))
	}
	var results []*probing.Result
	for _, d := range spoken {
		config.Dialect = d
		config.Asked = p.asked(d.Name)
		r, err := probing.Probe(ctx, config)
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	return p.tell(ctx, results)
}

// keyIn returns the API key in the variable that --key-env names, or "" where it names none.
func keyIn(variable string) (string, error) {
	key := os.Getenv(variable)
	if variable != "" && key == "" {
		return "", fmt.Errorf("--key-env: the variable %s is not set", variable)
	}
	return key, nil
}

// spoken returns the wire APIs to ask in: the one that is named, that of the profile, or each in which
// the server takes a request.
func (p *probe) spoken(ctx context.Context, config probing.Config, known profiles.Known) ([]*wire.Dialect, error) {
	name := p.dialect
	if p.profile != "" {
		claimed, err := known.Find(p.profile)
		if err != nil {
			return nil, err
		}
		if name != "" && name != claimed.Dialect {
			return nil, fmt.Errorf("--profile %s is of %s, and not of --dialect %s", p.profile, claimed.Dialect, name)
		}
		name = claimed.Dialect
	}
	all := dialect.All()
	if name == "" {
		spoken, err := probing.Spoken(ctx, config, all)
		if err == nil && len(spoken) == 0 {
			err = fmt.Errorf("%s takes no good request of %s: name the wire API with --dialect to see its answer", config.URL, strings.Join(dialect.Names(all), ", "))
		}
		return spoken, err
	}
	at := slices.IndexFunc(all, func(d *wire.Dialect) bool { return d.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("--dialect: there are no requests of a wire API %q; there are those of %s", name, strings.Join(dialect.Names(all), ", "))
	}
	return all[at : at+1], nil
}

// asked returns what shows on a terminal how many requests were asked.
func (p *probe) asked(name string) func(done, all int) {
	if !p.terminal {
		return nil
	}
	return func(done, all int) {
		fmt.Fprintf(p.err, "\r%s: %d of %d requests", name, done, all)
		if done == all {
			fmt.Fprint(p.err, "\r\033[K")
		}
	}
}

// tell writes the results, and the draft. Its error is the verdict.
func (p *probe) tell(ctx context.Context, results []*probing.Result) error {
	if p.draft != "" {
		if err := p.writeDraft(ctx, results[0]); err != nil {
			return err
		}
	}
	var err error
	if p.asJSON {
		encoder := json.NewEncoder(p.out)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		err = encoder.Encode(results)
	} else {
		for _, r := range results {
			p.text(r)
		}
	}
	if err == nil && p.profile != "" && len(p.about(results[0]).Differences) > 0 {
		return verdict(exitNotConformant)
	}
	return err
}

// about returns the comparison that is shown: with the profile that was named, or the most alike.
func (p *probe) about(r *probing.Result) probing.Comparison {
	at := slices.IndexFunc(r.Profiles, func(c probing.Comparison) bool { return c.Name == p.profile })
	return r.Profiles[max(at, 0)]
}

// mostShown is how many profiles are shown.
const mostShown = 3

func (p *probe) text(r *probing.Result) {
	c := p.about(r)
	fmt.Fprintf(p.out, "%s speaks %s: %d requests\n\n", r.URL, dialect.Named(r.Dialect).Title, len(r.Answers))
	for i, other := range r.Profiles[:min(mostShown, len(r.Profiles))] {
		label := "most alike"
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(p.out, "%10s  %s: %s; of %d that somebody knows, %d are the same\n", label, other.Name, differences(len(other.Differences)), other.Known, other.Alike)
	}
	for _, s := range r.Streams {
		problem := s.Problem
		if problem == "" {
			problem = "lawful"
		}
		fmt.Fprintf(p.out, "%10s  %s: %s\n", "stream", s.Request, problem)
	}
	if len(c.Differences) > 0 {
		fmt.Fprintf(p.out, "\nanswered otherwise than %s does:\n", c.Name)
	}
	for _, d := range c.Differences {
		if d.Status < http.StatusBadRequest {
			fmt.Fprintf(p.out, "  takes    %s, refused with %d by %s (%s)\n", d.Request, d.Wanted, d.Rule, d.KnownBy)
		} else {
			fmt.Fprintf(p.out, "  refuses  %s with %d: %s\n", d.Request, d.Status, strings.ReplaceAll(d.Message, "\n", " "))
		}
	}
}

func differences(n int) string {
	switch n {
	case 0:
		return "no request is answered otherwise"
	case 1:
		return "1 request is answered otherwise"
	}
	return fmt.Sprintf("%d requests are answered otherwise", n)
}

func (p *probe) writeDraft(ctx context.Context, r *probing.Result) error {
	name := strings.TrimSuffix(filepath.Base(p.draft), ".yaml")
	if name == filepath.Base(p.draft) {
		return fmt.Errorf("--draft %s: a profile is a file NAME.yaml", p.draft)
	}
	answers := "records/" + name + ".json"
	text, err := r.Draft(ctx, name, answers, time.Now().Format(time.DateOnly))
	if err != nil {
		return err
	}
	folder := filepath.Dir(p.draft)
	if err := files.MakeFolder(filepath.Join(folder, "records")); err != nil {
		return err
	}
	if err := files.Write(p.draft, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return err
	}
	return files.Write(filepath.Join(folder, answers), func(w io.Writer) error { return json.NewEncoder(w).Encode(r.Answers) })
}
