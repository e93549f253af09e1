package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// longPage is a page that is made from the code. On the site it takes the place of a page of docs
// with the same name, so that a link to a line of the list of rules leads to the rule in full.
type longPage struct {
	name  string // of the file in docs, as pages link to it
	write func(repo fs.FS) ([]byte, error)
}

var longPages = []longPage{
	{"requirements.md", requirements},
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

// render returns the files of the site, by their names in its folder. The current folder is the
// root of the repository.
func render(repo fs.FS) (map[string][]byte, error) {
	documents := map[string]*document{}
	for _, add := range []func(fs.FS, map[string]*document) error{docs, results, longOnes} {
		if err := add(repo, documents); err != nil {
			return nil, err
		}
	}
	documents["index.md"] = parse(contents(documents), "docs")
	site := map[string][]byte{}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		d := documents[name]
		errs = append(errs, d.lead(name, repo, documents))
		text, err := d.page(name)
		site[htmlName(name)] = text
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return site, errors.Join(errs...)
}

// docs adds the pages of the folder docs.
func docs(repo fs.FS, documents map[string]*document) error {
	return fs.WalkDir(repo, "docs", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".md" {
			return err
		}
		text, err := fs.ReadFile(repo, file)
		documents[matrix.SitePage(file)] = parse(text, path.Dir(file))
		return err
	})
}

// longOnes adds the long pages.
func longOnes(repo fs.FS, documents map[string]*document) error {
	for _, page := range longPages {
		text, err := page.write(repo)
		if err != nil {
			return fmt.Errorf("%s: %w", page.name, err)
		}
		documents[page.name] = parse(text, "docs")
	}
	return nil
}

// contents lists all pages by their headings.
func contents(documents map[string]*document) []byte {
	var b bytes.Buffer
	b.WriteString("# Documentation of Loopproof\n\n")
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		fmt.Fprintf(&b, "- [%s](%s)\n", documents[name].title(), name)
	}
	return b.Bytes()
}

// document is a page in Markdown that was parsed.
type document struct {
	source []byte
	root   ast.Node
	folder string // of the repository, from which its links are
	html   bool   // HTML in it is kept
	ids    map[string]bool
}

var (
	reader = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	keeper = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
)

// parse reads a page of ours, which may have HTML, such as anchors.
func parse(source []byte, folder string) *document {
	d := parseOthers(source, folder)
	d.html = true
	return d
}

// parseOthers reads a page that may have come from anybody.
func parseOthers(source []byte, folder string) *document {
	ids := parser.WithContext(parser.NewContext(parser.WithIDs(gitHubIDs{})))
	return &document{source: source, root: reader.Parser().Parse(text.NewReader(source), ids), folder: folder}
}

// gitHubIDs gives headings the ids that GitHub gives them, since our pages link to those.
type gitHubIDs map[string]int

func (given gitHubIDs) Generate(heading []byte, _ ast.NodeKind) []byte {
	id := matrix.HeadingID(string(heading))
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

// anchors returns the ids of the headings and of the HTML in the page, which are looked for once.
func (d *document) anchors() map[string]bool {
	if d.ids != nil {
		return d.ids
	}
	found := map[string]bool{}
	d.ids = found
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
	fileOnGitHub   = "https://github.com/loopproof/loopproof/blob/main/"
	folderOnGitHub = "https://github.com/loopproof/loopproof/tree/main/"
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
		inRepo, target := path.Join(d.folder, file), name
		if file != "" {
			target = cmp.Or(matrix.SitePage(inRepo), inRepo)
		}
		if other, ok := documents[target]; ok {
			if anchor != "" && !other.anchors()[anchor] {
				errs = append(errs, fmt.Errorf("%s links to %s, which has no heading #%s", name, target, anchor))
			}
			if file != "" {
				link.Destination = []byte(fromPage(name, htmlName(target)))
				if anchor != "" {
					link.Destination = append(link.Destination, "#"+anchor...)
				}
			}
			return
		}
		info, err := fs.Stat(repo, inRepo)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s links to %s, which does not exist", name, inRepo))
		case info.IsDir():
			link.Destination = []byte(folderOnGitHub + inRepo)
		default:
			link.Destination = []byte(fileOnGitHub + inRepo)
			if anchor != "" {
				link.Destination = append(link.Destination, "#"+anchor...)
			}
		}
	})
	return errors.Join(errs...)
}

// fromPage returns a file of the site as a page links to it.
func fromPage(page, file string) string {
	return strings.Repeat("../", strings.Count(page, "/")) + file
}

//go:embed page.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// html returns a page of the site.
func (d *document) page(name string) ([]byte, error) {
	var body, page bytes.Buffer
	renderer := reader
	if d.html {
		renderer = keeper
	}
	if err := renderer.Renderer().Render(&body, d.source, d.root); err != nil {
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
