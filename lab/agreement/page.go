package agreement

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
)

// Page writes the page "agreement" of the website from the stored results of a folder.
func Page(folder fs.FS) ([]byte, error) {
	results, err := Load(folder)
	if err != nil {
		return nil, err
	}
	templates, err := loadTemplates(folder)
	if err != nil {
		return nil, err
	}
	var tables []*Table
	for _, r := range results {
		t, err := Compare(r)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	var b bytes.Buffer
	b.WriteString("# Agreement with the code of real servers\n\n")
	b.WriteString("The request-reading code of these servers can be run without a model. [`cd lab && go run ./oracles`](../lab/oracles/README.md) asks it about the requests of [`fixtures`](../fixtures/README.md) and stores its answers; the mock provider is asked the same under the profile of the server. ")
	b.WriteString("This page compares the two. A request that the real code takes and the mock refuses is a *false refusal*: it makes a must that a correct loop fails. There may be none.\n")
	writeProfiles(&b, tables)
	writeClasses(&b, tables)
	writeLeft(&b, tables)
	writeVersions(&b, tables)
	writeTemplates(&b, templates)
	return b.Bytes(), nil
}

func writeProfiles(b *bytes.Buffer, tables []*Table) {
	b.WriteString("\n## By profile\n\n")
	b.WriteString("Of the requests that both refuse with the same status: *type* counts those whose error type is the same word, *envelope* those whose error body has the same keys, *words* those with the same message to the letter. Messages of schema checkers repeat the request and differ most.\n\n")
	b.WriteString("| profile | real code | requests | false refusals | refused by the real code | by the mock, same status | other status | not refused | type | envelope | words |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, t := range tables {
		refused, same := t.Refused()
		kind, envelope := "", ""
		if !t.NoEnvelope {
			kind = fmt.Sprint(t.count(func(r Row) bool { return r.Verdict == BothRefuse && r.SameType }))
			envelope = fmt.Sprint(t.count(func(r Row) bool { return r.Verdict == BothRefuse && r.SameEnvelope }))
		}
		words := t.count(func(r Row) bool { return r.Verdict == BothRefuse && r.SameWords })
		fmt.Fprintf(b, "| [%s](profiles.md#%s) | %s | %d | %d | %d | %d (%d %%) | %d | %d | %s | %s | %d |\n", t.Profile, t.Profile, t.Code, len(t.Rows),
			t.Count(FalseRefusal), refused, same, percent(same, refused), t.Count(OtherStatus), t.Count(NotRefused), kind, envelope, words)
	}
}

func percent(part, whole int) int {
	if whole == 0 {
		return 100
	}
	return part * 100 / whole
}

func writeClasses(b *bytes.Buffer, tables []*Table) {
	b.WriteString("\n## By what the requests are about\n\n")
	b.WriteString("Agreements of all requests. Behind them: f false refusals, n requests that the mock does not refuse, s refused with another status.\n\n| profile |")
	for _, class := range Classes() {
		fmt.Fprintf(b, " %s |", class)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(Classes())) + "\n")
	for _, t := range tables {
		fmt.Fprintf(b, "| %s |", t.Profile)
		for _, class := range Classes() {
			fmt.Fprintf(b, " %s |", t.class(class))
		}
		b.WriteByte('\n')
	}
}

// class returns the cell of a class: "12 of 14, 2 n".
func (t *Table) class(class string) string {
	count := func(v Verdict) int {
		return t.count(func(r Row) bool { return r.Body.Class() == class && r.Verdict == v })
	}
	all := t.count(func(r Row) bool { return r.Body.Class() == class })
	if all == 0 {
		return ""
	}
	cell := fmt.Sprintf("%d of %d", count(BothTake)+count(BothRefuse), all)
	for _, v := range []struct {
		letter  string
		verdict Verdict
	}{{"f", FalseRefusal}, {"n", NotRefused}, {"s", OtherStatus}} {
		if n := count(v.verdict); n > 0 {
			cell += fmt.Sprintf(", %d %s", n, v.letter)
		}
	}
	return cell
}

func writeLeft(b *bytes.Buffer, tables []*Table) {
	b.WriteString("\n## Where they disagree, and why\n\n| profile | request | real code | mock | why |\n|---|---|---|---|---|\n")
	for _, t := range tables {
		for _, row := range t.Rows {
			if row.Verdict != BothTake && row.Verdict != BothRefuse {
				fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", t.Profile, row.Body.ID, said(row.Real.Reply), said(row.Ours), Reason(t.Profile, row.Body.ID))
			}
		}
	}
}

// said writes a reply for a table.
func said(r Reply) string {
	if !r.Refused() {
		return "takes it"
	}
	return fmt.Sprintf("%d `%s`", r.Status, short(Words(r.Error), 120))
}

// short writes a text in one line of a table, cut at a length.
func short(text string, most int) string {
	return textlayout.Shorten(strings.NewReplacer("|", "/", "`", "'").Replace(textlayout.OneLine(text)), most)
}

func writeVersions(b *bytes.Buffer, tables []*Table) {
	b.WriteString("\n## What depends on the version\n\n")
	b.WriteString("The validators of mistral-common differ by the version of a model's tokenizer. The profiles stand for v13 and later. protojson is the parser of JSON that protobuf has today, in Go; that of the API is older, as the words of its errors show. Where others decide otherwise:\n\n| profile | request | the real code | other versions |\n|---|---|---|---|\n")
	for _, t := range tables {
		for _, row := range t.Rows {
			var others []string
			for _, version := range slices.Sorted(maps.Keys(row.Real.Others)) {
				if other := row.Real.Others[version]; other.Refused() != row.Real.Refused() {
					others = append(others, version+" "+said(other))
				}
			}
			if len(others) > 0 {
				fmt.Fprintf(b, "| %s | %s | %s | %s |\n", t.Profile, row.Body.ID, said(row.Real.Reply), strings.Join(others, "; "))
			}
		}
	}
}

func writeTemplates(b *bytes.Buffer, t *Templates) {
	b.WriteString("\n## What depends on the chat template\n\n")
	fmt.Fprintf(b, "vLLM, SGLang and llama.cpp render a request with the chat template of the model, and refuse what the template raises on. Of %d templates (%s) that render a plain tool round, these raise on the conversations below. ", len(t.Templates), t.Code)
	b.WriteString("No profile refuses any of this: it is a matter of the model, and what most templates render makes no must.\n\n| request | templates that raise | for example |\n|---|---|---|\n")
	for _, a := range t.Answers {
		if len(a.Raised) == 0 {
			continue
		}
		names := slices.Sorted(maps.Keys(a.Raised))
		fmt.Fprintf(b, "| %s | %d | %s: `%s` |\n", a.Body, len(names), names[0], short(a.Raised[names[0]], 120))
	}
}
