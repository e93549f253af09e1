package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// longPage is a page that is made from the code. On the site it takes the place of a page of docs
// with the same name, so that a link to a line of the list of rules leads to the rule in full.
type longPage struct {
	name  string // of the file in docs, as pages link to it
	write func(repo fs.FS) ([]byte, error)
}

var longPages = []longPage{
	{"rules.md", ruleChapters},
	{"profiles.md", profilesPage},
	{"profile-keys.md", profileKeys},
	{"kill-matrix.md", withoutFiles(killMatrix)},
	{"variations.md", withoutFiles(variationsPage)},
	{"circumstances.md", withoutFiles(circumstancesPage)},
	{"agreement.md", agreementPage},
}

func withoutFiles(write func() ([]byte, error)) func(fs.FS) ([]byte, error) {
	return func(fs.FS) ([]byte, error) { return write() }
}

// render returns the files of the site, by their names in its folder.
func render(repo fs.FS) (map[string][]byte, error) {
	sources, err := markdown(repo)
	if err != nil {
		return nil, err
	}
	documents := map[string]*document{}
	for name, source := range sources {
		documents[name] = parse(source)
	}
	site := map[string][]byte{}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		d := documents[name]
		errs = append(errs, d.lead(name, repo, documents))
		if site[htmlName(name)], err = d.html(name); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return site, errors.Join(errs...)
}

// markdown returns the pages of the folder docs and the long pages, by their paths in docs.
func markdown(repo fs.FS) (map[string][]byte, error) {
	sources := map[string][]byte{}
	docs, err := fs.Sub(repo, "docs")
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(docs, ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && path.Ext(file) == ".md" {
			sources[file], err = fs.ReadFile(docs, file)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, page := range longPages {
		if sources[page.name], err = page.write(repo); err != nil {
			return nil, fmt.Errorf("%s: %w", page.name, err)
		}
	}
	sources["index.md"] = contents(sources)
	return sources, nil
}

// contents lists all pages by their headings.
func contents(sources map[string][]byte) []byte {
	var b bytes.Buffer
	b.WriteString("# Documentation of Loopproof\n\n")
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		fmt.Fprintf(&b, "- [%s](%s)\n", parse(sources[name]).title(), name)
	}
	return b.Bytes()
}

// document is a page in Markdown that was parsed.
type document struct {
	source []byte
	root   ast.Node
}

var reader = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe()), // our own pages have anchors in HTML
)

func parse(source []byte) *document {
	ids := parser.WithContext(parser.NewContext(parser.WithIDs(gitHubIDs{})))
	return &document{source, reader.Parser().Parse(text.NewReader(source), ids)}
}

// gitHubIDs gives headings the ids that GitHub gives them, since our pages link to those.
type gitHubIDs map[string]int

var notInIDs = regexp.MustCompile(`[^\w\- ]`)

func (given gitHubIDs) Generate(heading []byte, _ ast.NodeKind) []byte {
	id := notInIDs.ReplaceAllString(strings.ToLower(strings.TrimSpace(string(heading))), "")
	id = strings.ReplaceAll(id, " ", "-")
	given[id]++
	if n := given[id] - 1; n > 0 {
		return fmt.Appendf(nil, "%s-%d", id, n)
	}
	return []byte(id)
}

func (given gitHubIDs) Put(id []byte) { given[string(id)]++ }

// title returns the text of the first heading.
func (d *document) title() string {
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindHeading {
			return string(n.(*ast.Heading).Lines().Value(d.source))
		}
	}
	return ""
}

// anchors returns the ids of the headings and of the HTML in the page.
func (d *document) anchors() map[string]bool {
	found := map[string]bool{}
	for _, part := range strings.Split(string(d.source), `<a id="`)[1:] {
		id, _, _ := strings.Cut(part, `"`)
		found[id] = true
	}
	d.walk(func(n ast.Node) {
		if id, ok := n.AttributeString("id"); ok && n.Kind() == ast.KindHeading {
			found[string(id.([]byte))] = true
		}
	})
	return found
}

func (d *document) walk(visit func(ast.Node)) {
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			visit(n)
		}
		return ast.WalkContinue, nil
	})
}

const (
	repository = "https://github.com/loopproof/loopproof/blob/main/"
	onGitHub   = "https://github.com/loopproof/loopproof/tree/main/"
)

// lead makes the links of a page lead to other pages of the site, and those to other files to the
// repository. It returns an error for each that leads nowhere.
func (d *document) lead(name string, repo fs.FS, documents map[string]*document) error {
	var errs []error
	d.walk(func(n ast.Node) {
		link, ok := n.(*ast.Link)
		if !ok || strings.Contains(string(link.Destination), ":") {
			return
		}
		file, anchor, _ := strings.Cut(string(link.Destination), "#")
		target := name
		if file != "" {
			target = path.Join(path.Dir(name), file)
		}
		if other, ok := documents[target]; ok {
			if anchor != "" && !other.anchors()[anchor] {
				errs = append(errs, fmt.Errorf("%s links to %s, which has no heading #%s", name, target, anchor))
			}
			if file != "" {
				link.Destination = []byte(strings.TrimSuffix(file, ".md") + ".html")
				if anchor != "" {
					link.Destination = append(link.Destination, "#"+anchor...)
				}
			}
			return
		}
		inRepo := path.Join("docs", target)
		info, err := fs.Stat(repo, inRepo)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s links to %s, which does not exist", name, inRepo))
		case info.IsDir():
			link.Destination = []byte(onGitHub + inRepo)
		default:
			link.Destination = []byte(repository + inRepo)
			if anchor != "" {
				link.Destination = append(link.Destination, "#"+anchor...)
			}
		}
	})
	return errors.Join(errs...)
}

//go:embed page.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// html returns a page of the site.
func (d *document) html(name string) ([]byte, error) {
	var body, page bytes.Buffer
	if err := reader.Renderer().Render(&body, d.source, d.root); err != nil {
		return nil, err
	}
	err := pageTemplate.Execute(&page, map[string]any{
		"Title": d.title(),
		"Root":  strings.Repeat("../", strings.Count(name, "/")),
		"Body":  template.HTML(body.String()),
	})
	return page.Bytes(), err
}

func htmlName(name string) string { return strings.TrimSuffix(name, ".md") + ".html" }
