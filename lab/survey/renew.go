package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/trace"
)

const indexFile = "docs/findings.md"

// renew rewrites all documents from the results. It returns the open questions.
func renew(loops []loop) (unseen []string, err error) {
	all, err := documents(loops)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		if err := os.WriteFile(d.file, []byte(d.text), 0o666); err != nil {
			return nil, err
		}
		unseen = append(unseen, d.unseen...)
	}
	return append(unseen, openQuestions(loops)...), nil
}

// document is one as it has to be.
type document struct {
	file, text string
	unseen     []string
}

// documents returns the index, the page of odd answers and the page of each loop.
func documents(loops []loop) ([]document, error) {
	results := map[string]result{}
	for _, l := range loops {
		r, played, err := readResult(l)
		if err != nil {
			return nil, err
		}
		if !played {
			return nil, fmt.Errorf("%s was never played: --only %s", l.Name, l.Name)
		}
		results[l.Name] = r
	}
	agents := slices.DeleteFunc(slices.Clone(loops), func(l loop) bool { return !l.isAgent() })
	libraries := slices.DeleteFunc(slices.Clone(loops), loop.isAgent)
	parts := []part{
		{file: indexFile, name: "loops", write: func(string) (string, []string) { return indexTable("loop", libraries, results), nil }},
		{file: indexFile, name: "agents", write: func(string) (string, []string) { return indexTable("agent", agents, results), nil }},
	}
	odd, err := readOddities()
	if err != nil {
		return nil, err
	}
	parts = append(parts, oddParts(loops, results, odd)...)
	for _, l := range loops {
		parts = append(parts, part{file: l.page(), name: "result", write: func(old string) (string, []string) {
			return pagePart(l, results[l.Name], old)
		}})
	}
	all, err := written(parts)
	if err != nil {
		return nil, err
	}
	published, err := publishedLoops(loops)
	return append(all, published...), err
}

func readText(file string) (string, error) {
	data, err := os.ReadFile(file)
	return string(data), err
}

// part is what is between two marks in a document. write is given what is there now.
type part struct {
	file, name string
	write      func(old string) (text string, unseen []string)
}

func written(parts []part) ([]document, error) {
	var all []document
	for _, p := range parts {
		if len(all) == 0 || all[len(all)-1].file != p.file {
			data, err := os.ReadFile(p.file)
			if err != nil {
				return nil, err
			}
			all = append(all, document{file: p.file, text: string(data)})
		}
		d := &all[len(all)-1]
		old, err := between(p.file, d.text, p.name)
		if err != nil {
			return nil, err
		}
		text, unseen := p.write(old)
		if d.text, err = replaced(p.file, d.text, p.name, text); err != nil {
			return nil, err
		}
		d.unseen = append(d.unseen, unseen...)
	}
	return all, nil
}

// openQuestions returns entries of lists without a reason, and loops without a list that break a must.
func openQuestions(loops []loop) (unseen []string) {
	for _, l := range loops {
		if l.known() == "" {
			if r, _, err := readResult(l); err == nil && r.broken(trace.Must) > 0 {
				unseen = append(unseen, fmt.Sprintf("%s is not conformant any more: give it a list in %s, or repair what is ours", l.Name, loopsFile))
			}
		} else if _, err := runner.LoadExpectations(l.known()); err != nil {
			unseen = append(unseen, fmt.Sprintf("%s: %v", l.Name, err))
		}
	}
	return unseen
}
