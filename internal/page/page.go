// Package page renders pages for people: the runs of a mock provider, a conversation, and the
// report of a suite. All look alike, need no network and no script, and fit a phone.
//
//	err := page.Write(w, "runs.tmpl", runs)
package page

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"regexp"
	"sync"

	"github.com/loopproof/loopproof/internal/sequence"
	"github.com/loopproof/loopproof/internal/textlayout"
)

//go:embed *.tmpl colours.css sequence.css style.css live.js report.js matrix.css matrix.js
var files embed.FS

// parsed are all templates, parsed once; tests render every one.
var parsed = sync.OnceValues(func() (*template.Template, error) {
	script, err := files.ReadFile("report.js")
	if err != nil {
		return nil, err
	}
	functions := template.FuncMap{ // of our own files
		"style":  func() template.CSS { return template.CSS(asset("style.css")) },
		"script": func() template.JS { return template.JS(script) },
		"anchor": func(id string) template.URL { return template.URL("#" + id) }, // a fragment, whatever the id
		"count":  textlayout.Count,
		"thread": Thread,
		"wide":   func(d *sequence.Diagram) template.HTML { return template.HTML(d.SVG(sequence.Wide)) }, // it escapes
		"narrow": func(d *sequence.Diagram) template.HTML { return template.HTML(d.SVG(sequence.Narrow)) },
	}
	return template.New("").Funcs(functions).ParseFS(files, "*.tmpl")
})

// asset returns a file. The style sheet is three: the colours and the diagrams have files of their
// own, since diagrams are also drawn without a page.
func asset(name string) []byte {
	parts := []string{name}
	if name == "style.css" {
		parts = []string{"colours.css", "style.css", "sequence.css"}
	}
	var all []byte
	for _, part := range parts {
		data, _ := files.ReadFile(part) // embedded
		all = append(all, data...)
	}
	return all
}

// WriteSVG writes a diagram as a file of its own.
func WriteSVG(w io.Writer, d *sequence.Diagram) error {
	style := string(asset("colours.css")) + string(asset("sequence.css"))
	_, err := w.Write(Visible([]byte(d.File(style))))
	return err
}

// Write renders a template. Invisible characters are made visible.
func Write(w io.Writer, name string, data any) error {
	t, err := parsed()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	_, err = w.Write(Visible(b.Bytes()))
	return err
}

var threadURL = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^https://github\.com/([^/]+/[^/]+)/(?:issues|pull|discussions)/(\d+)$`)
})

// Thread returns the short name of a thread on GitHub, openai/openai-node#2716, and any other
// address as it is.
func Thread(address string) string {
	if m := threadURL().FindStringSubmatch(address); m != nil {
		return m[1] + "#" + m[2]
	}
	return address
}

// SiteAssets are the names of the files that the pages of a site load.
func SiteAssets() []string { return []string{"style.css", "matrix.css", "matrix.js"} }

// SiteAsset returns one of these files.
func SiteAsset(name string) []byte {
	return asset(name)
}

// Asset returns a file that pages load: style.css or live.js. It is nil where there is none of that
// name.
func Asset(name string) []byte {
	if name != "style.css" && name != "live.js" {
		return nil
	}
	return asset(name)
}
