package recording

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// merge removes a recording of this session that says the same as another one in the folder. The
// first is kept.
func (w *writer) merge(c *conversation, s *scenarios.Scenario) error {
	if !c.apart {
		for _, other := range w.earlier {
			if same(other, s) {
				return w.drop(c, other.ID)
			}
		}
	}
	s.ID = c.name
	w.earlier = append(w.earlier, s)
	return nil
}

// drop removes a recording that says the same as another one.
func (w *writer) drop(c *conversation, kept string) error {
	err := w.remove(c)
	w.config.Merged(c.name, kept)
	return err
}

// remove removes the files of a recording.
func (w *writer) remove(c *conversation) error {
	dir := filepath.Join(w.config.Dir, c.name)
	var errs []error
	for _, file := range slices.Sorted(maps.Keys(w.written)) {
		if file == dir+".yaml" || strings.HasPrefix(file, dir+string(filepath.Separator)) {
			errs = append(errs, os.Remove(file))
			delete(w.written, file)
		}
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// same reports whether two recordings say the same: what was asked, what the tools gave, and what
// came in each step. Ids, counts of tokens and how an answer was cut into pieces do not count.
func same(a, b *scenarios.Scenario) bool {
	return slices.Equal(a.Profiles, b.Profiles) && a.System == b.System && slices.Equal(a.Prompts, b.Prompts) &&
		slices.EqualFunc(a.Tools, b.Tools, sameTool) && slices.EqualFunc(a.Model, b.Model, sameStep)
}

func sameTool(a, b scenarios.Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Schema(), b.Schema()) &&
		slices.EqualFunc(a.Results, b.Results, func(a, b scenarios.Result) bool {
			return a.Text == b.Text && a.Fails() == b.Fails() && (!a.Fails() || *a.Fail == *b.Fail) && bytes.Equal(a.When.JSON(), b.When.JSON())
		})
}

func sameStep(a, b scenarios.Step) bool {
	f, g := a.Recorded(), b.Recorded()
	if f == nil || g == nil || f.Status != g.Status || f.Streamed() != g.Streamed() || f.Severed != g.Severed {
		return false
	}
	if a.Text == nil || b.Text == nil { // no answers of a model
		return a.Text == nil && b.Text == nil && bytes.Equal(f.Body(), g.Body())
	}
	return *a.Text == *b.Text && a.Refusal == b.Refusal && a.Finish == b.Finish &&
		slices.EqualFunc(a.Calls, b.Calls, func(a, b scenarios.Call) bool { return a.Tool == b.Tool && a.Arguments == b.Arguments })
}
