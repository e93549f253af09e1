package matrix

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
)

// Site is the rendered site: files by their paths.
type Site map[string][]byte

// marker is a file by which a folder is known to hold a site, which may be written again.
const marker = ".loopproof-matrix"

// Render renders the results of all loops. It depends on nothing else, not even on the time.
func Render(loops []*Loop) (Site, error) {
	b := &builder{site: Site{marker: []byte("written by lab/matrix\n")}, loops: slices.Clone(loops), profiles: profiles.All()}
	slices.SortFunc(b.loops, func(a, c *Loop) int {
		return strings.Compare(strings.ToLower(a.Title)+a.Name, strings.ToLower(c.Title)+c.Name)
	})
	for _, name := range page.SiteAssets() {
		b.site[name] = page.SiteAsset(name)
	}
	b.index()
	for _, area := range areas() {
		b.area(area)
	}
	for _, l := range b.loops {
		for i, v := range l.Versions {
			b.loop(v, i == 0)
		}
	}
	b.rules()
	b.providers()
	return b.site, errors.Join(b.errs...)
}

// Write writes the site into a folder: an empty or new one, or one that holds an earlier site,
// which is removed.
func (s Site) Write(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(folder, marker)); err != nil {
			return fmt.Errorf("the folder %s is not empty, and was not written by lab/matrix: choose another one", folder)
		}
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, s[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}

// builder renders the pages one after the other.
type builder struct {
	site     Site
	loops    []*Loop
	profiles []*profiles.Profile
	errs     []error
}

// frame is what all pages share.
type frame struct {
	Title   string
	Root    string // the way from the page to the root of the site, "" or "../"
	Here    string // the part of the site: loops, rules or providers
	Version string // of Loopproof
	Book    string // fingerprint of what it judges by
}

func newFrame(file, here, title string) frame {
	return frame{Title: title, Here: here, Root: strings.Repeat("../", strings.Count(file, "/")), Version: loopproof.Version, Book: catalog.Fingerprint()}
}

// add renders a page.
func (b *builder) add(file, template string, data any) {
	var out bytes.Buffer
	if err := page.Write(&out, template, data); err != nil {
		b.errs = append(b.errs, fmt.Errorf("%s: %w", file, err))
		return
	}
	b.site[file] = out.Bytes()
}

// areas are the areas of the rulebook, in its order.
func areas() []string {
	var all []string
	for _, r := range rulebook.Book() {
		if !slices.Contains(all, r.Area()) {
			all = append(all, r.Area())
		}
	}
	return all
}

// rulesOf returns the rules of an area.
func rulesOf(area string) []*rules.Rule {
	return slices.DeleteFunc(slices.Clone(rulebook.Book()), func(r *rules.Rule) bool { return r.Area() != area })
}

// The files of the site.
func areaFile(area string) string { return "areas/" + area + ".html" }
func ruleFile(id string) string   { return "rules/" + id + ".html" }
func providerFile(name string) string {
	return "providers/" + name + ".html"
}

// file returns the page of a version. That of the newest one has the name of the loop alone.
func (v *Version) file() string {
	if v.loop.Versions[0] == v {
		return "loops/" + v.loop.Name + ".html"
	}
	return path.Join("loops", v.loop.Name, v.Slug+".html")
}
