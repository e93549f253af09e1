package matrix

import (
	"bytes"
	"path"
	"strings"
)

// pictures draws the examples of failures as sequence diagrams, each a file of its own. Only whole
// reports, of an archive, have the exchanges.
func (b *builder) pictures(v *Version, failures []failure, root string) {
	for i := range failures {
		f := &failures[i]
		c, _ := v.Example(f.ID)
		if c == nil || c.Trace == nil {
			continue
		}
		var svg bytes.Buffer
		if err := c.WriteSVG(&svg); err != nil {
			b.errs = append(b.errs, err)
			continue
		}
		file := path.Join("pictures", v.loop.Name, v.Slug, strings.ReplaceAll(f.ID, "/", ".")+".svg")
		b.site[file] = svg.Bytes()
		f.Picture = root + file
	}
}
