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

	"github.com/loopproof/loopproof/internal/textlayout"
)

//go:embed *.tmpl style.css live.js report.js matrix.css matrix.js
var files embed.FS

// parsed are all templates, parsed once; tests render every one.
var parsed = sync.OnceValues(func() (*template.Template, error) {
	style, err := files.ReadFile("style.css")
	if err != nil {
		return nil, err
	}
	script, err := files.ReadFile("report.js")
	if err != nil {
		return nil, err
	}
	functions := template.FuncMap{ // of our own files
		"style":  func() template.CSS { return template.CSS(style) },
		"script": func() template.JS { return template.JS(script) },
		"anchor": func(id string) template.URL { return template.URL("#" + id) }, // a fragment, whatever the id
		"count":  textlayout.Count,
		"thread": Thread,
	}
	return template.New("").Funcs(functions).ParseFS(files, "*.tmpl")
})

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
	data, _ := files.ReadFile(name) // embedded
	return data
}

// Asset returns a file that pages load: style.css or live.js. It is nil where there is none of that
// name.
func Asset(name string) []byte {
	if name != "style.css" && name != "live.js" {
		return nil
	}
	data, _ := files.ReadFile(name) // embedded
	return data
}
