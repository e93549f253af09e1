package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/lint"
	"github.com/loopproof/loopproof/internal/lint/pythonliteral"
	"github.com/loopproof/loopproof/internal/lint/savedrequests"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// maxSaved is the size of the largest file that is searched for requests.
const maxSaved = 256 << 20

// linting is one run of loopproof lint.
type linting struct {
	streams
	own     *ownFolders
	profile []string
	dialect string
	asJSON  bool
	infos   bool
	hints   bool
	input   io.Reader
	known   profiles.Known // all profiles that there are
	results []lint.Result
}

func lintCommand(s streams) *cobra.Command {
	l := &linting{streams: s, own: &ownFolders{dialects: s.dialects}}
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Check saved requests: what would a provider answer, and why",
		Long: `Check saved requests: print what a provider answers to them, and which rules they break, with file,
line and JSON pointer.

A file may be the body of a request, a list of messages, JSON lines, a batch, a HAR file, the debug
log of an SDK, a dump of HTTP requests, or the journal of a mock provider. Requests of all wire APIs
are found in it. - is the standard input.

Exit codes: 0 accepted; 1 refused, or a must is broken; 2 a file has no request in it.`,
		Example: `  loopproof lint request.json
  pbpaste | loopproof lint -
  loopproof lint --profile all request.json          what each provider answers
  loopproof lint --profile deepseek,openai api.har
  loopproof lint --fix-hint messages.json            and what to send instead
  loopproof lint --json agent.log | jq '.[].answers'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the files to check, or - for the standard input, as in: loopproof lint request.json")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			l.input = cmd.InOrStdin()
			return l.run(cmd.Context(), args)
		},
	}
	cmd.Flags().StringSliceVar(&l.profile, "profile", nil, "the `profiles` of the providers, or all (default: the standard profile of the wire API)")
	cmd.Flags().StringVar(&l.dialect, "dialect", "", "the `wire API` of the requests: "+strings.Join(dialect.Names(l.dialects()), ", ")+" (default: detected)")
	cmd.Flags().BoolVar(&l.asJSON, "json", false, "write JSON")
	cmd.Flags().BoolVar(&l.infos, "infos", false, "show violations of the level info, too")
	cmd.Flags().BoolVar(&l.hints, "fix-hint", false, "show what to send instead: the rule, and a request that keeps it")
	l.own.registerProfiles(cmd.Flags())
	return cmd
}

func (l *linting) dialects() []*wire.Dialect {
	return slices.Concat(dialect.Known(), l.streams.dialects)
}

func (l *linting) run(ctx context.Context, files []string) error {
	_, known, err := l.own.readProfiles()
	if err != nil {
		return err
	}
	l.known = known
	if err := l.checkFlags(); err != nil {
		return err
	}
	for _, file := range files {
		if err := l.file(ctx, file); err != nil {
			return err
		}
	}
	if l.asJSON {
		err = l.writeJSON(l.results)
	} else {
		err = l.writeText(len(files))
	}
	if err == nil && slices.ContainsFunc(l.results, func(r lint.Result) bool { return r.Fails() }) {
		return verdict(exitNotConformant)
	}
	return err
}

func (l *linting) checkFlags() error {
	if names := dialect.Names(l.dialects()); l.dialect != "" && !slices.Contains(names, l.dialect) {
		return fmt.Errorf("there is no wire API %q%s; they are %s", l.dialect, suggest.Hint(l.dialect, names), strings.Join(names, ", "))
	}
	for _, name := range l.profile {
		if name == lint.AllProfiles {
			continue
		}
		p, err := l.known.Find(name)
		if err != nil {
			return err
		}
		if l.dialect != "" && p.Dialect != l.dialect {
			return fmt.Errorf("the profile %s speaks %s, and not %s", name, p.Dialect, l.dialect)
		}
	}
	return nil
}

// file checks the requests in a file.
func (l *linting) file(ctx context.Context, name string) error {
	data, err := l.read(name)
	if err != nil {
		return err
	}
	found, err := savedrequests.Find(data, savedrequests.Options{Dialects: l.searched(), Asked: l.asked(), Literal: pythonliteral.JSON})
	if err != nil {
		return fmt.Errorf("%s: %w%s", shownName(name), err, whyNone(data))
	}
	checked := 0
	for _, saved := range found {
		if under := l.under(saved.Dialect); len(under) > 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			result := lint.Check(ctx, saved, under)
			result.File, result.Guessed = shownName(name), result.Guessed && l.dialect == ""
			l.results = append(l.results, result)
			checked++
		}
	}
	if checked == 0 {
		return fmt.Errorf("%s: it has a request of %s, which %s does not speak", shownName(name), found[0].Dialect.Title, strings.Join(l.profile, ", "))
	}
	return nil
}

// shownName is the name of a file in messages.
func shownName(file string) string {
	if file == "-" {
		return "stdin"
	}
	return file
}

func (l *linting) read(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(l.input, maxSaved))
	}
	info, err := statNamed(name, "a file with saved requests")
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder; name the files in it", name)
	case info.Size() > maxSaved:
		return nil, fmt.Errorf("%s: the file has %d MB, the maximum is %d MB", name, info.Size()>>20, maxSaved>>20)
	}
	return os.ReadFile(name)
}

// searched returns the dialects that are searched for: that of the flag, or all, and first those of
// the profiles, since a request may look like one of several.
func (l *linting) searched() []*wire.Dialect {
	all := l.dialects()
	if l.dialect != "" {
		return slices.DeleteFunc(all, func(d *wire.Dialect) bool { return d.Name != l.dialect })
	}
	slices.SortStableFunc(all, func(a, b *wire.Dialect) int { return cmp.Compare(min(1, len(l.under(b))), min(1, len(l.under(a)))) })
	return all
}

// asked returns the dialects that the flags name.
func (l *linting) asked() []*wire.Dialect {
	if l.dialect == "" && (len(l.profile) == 0 || slices.Contains(l.profile, lint.AllProfiles)) {
		return nil
	}
	return slices.DeleteFunc(l.searched(), func(d *wire.Dialect) bool { return len(l.under(d)) == 0 })
}

// under returns the profiles under which a request is judged.
func (l *linting) under(d *wire.Dialect) []*profiles.Profile {
	return lint.Chosen(d, l.profile, l.known)
}

// whyNone says what may be wrong with data in which no request was found.
func whyNone(data []byte) string {
	begin := bytes.TrimSpace(data)
	if len(begin) == 0 {
		return ": it is empty"
	}
	if bytes.HasPrefix(begin, []byte("HTTP/")) {
		return ": it is an answer, and only requests are judged"
	}
	if _, err := wire.ParseNode(data); err != nil && (begin[0] == '{' || begin[0] == '[') { // its places are those in the file
		return fmt.Sprintf("; as JSON it is not valid: %v", err)
	}
	return `. A request has a list of messages, such as {"messages": [{"role": "user", ...}]}`
}

// shown reports whether a finding is shown in the text.
func (l *linting) shown(f lint.Finding) bool { return f.Level != trace.Info || l.infos }
