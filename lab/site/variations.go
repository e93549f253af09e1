package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/faults"
	"github.com/loopproof/loopproof/internal/faults/hooks"
)

// variationsPage writes what correct loops do otherwise than the reference loop, axis by axis.
func variationsPage() ([]byte, error) {
	all := faults.Variations()
	var b bytes.Buffer
	b.WriteString("# Variations\n\n")
	b.WriteString("A rule that fails a correct loop is worse than none. Each variation below is the reference loop with one thing done otherwise, as a loop in wide use does it or a provider documents it. ")
	b.WriteString("None of them breaks a must, and only those that say so break a should; `go test ./internal/faults -run Variations` plays them in a sample of the cases that they change, and with `-kill-matrix=all` in every one.\n\n")
	fmt.Fprintf(&b, "%d variations, %d of them in more than one dialect.\n\n", len(all), inSeveralDialects(all))
	for _, axis := range faults.Axes {
		fmt.Fprintf(&b, "- [%s](#%s): %s\n", axis.Name, axis.Name, axis.About)
	}
	for _, axis := range faults.Axes {
		fmt.Fprintf(&b, "\n## %s\n\n| variation | what the loop does | dialects | profiles | source |\n|---|---|---|---|---|\n", axis.Name)
		for _, v := range all {
			if v.Axis() == axis.Name {
				writeVariation(&b, v)
			}
		}
	}
	return b.Bytes(), nil
}

func writeVariation(b *bytes.Buffer, v hooks.Variation) {
	does := v.Does
	for _, id := range v.Shoulds {
		does += fmt.Sprintf("<br>Breaks [%s](rules.md#%s). %s", id, anchor(id), v.Why)
	}
	if v.Elsewhere != "" {
		does += "<br>Elsewhere " + v.Elsewhere
	}
	under := strings.Join(v.Profiles, ", ")
	if under == "" {
		under = "all"
	}
	var sources []string
	for _, source := range v.Sources {
		url, where, _ := strings.Cut(source, " ")
		sources = append(sources, strings.TrimSpace(fmt.Sprintf("[%s](%s) %s", shortSource(url), url, escaped(where))))
	}
	_, name, _ := strings.Cut(v.Name, "/")
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", name, escaped(does), strings.Join(v.Dialects(), ", "), under, strings.Join(sources, "<br>"))
}

func inSeveralDialects(all []hooks.Variation) int {
	count := 0
	for _, v := range all {
		if len(v.Dialects()) > 1 {
			count++
		}
	}
	return count
}

// shortSource writes the address of a file on GitHub as owner/repository/.../file, and any other
// one without its scheme.
func shortSource(url string) string {
	short := shortURL(url)
	if repo, path, ok := strings.Cut(short, "/blob/"); ok {
		_, path, _ = strings.Cut(path, "/")
		return repo + ": " + path[strings.LastIndexByte(path, '/')+1:]
	}
	return strings.TrimPrefix(short, "https://")
}

// escaped returns a text as it may be in a cell of a table.
func escaped(text string) string {
	return strings.NewReplacer("|", `\|`, "<br>", "<br>", "<", "&lt;", ">", "&gt;").Replace(text)
}
