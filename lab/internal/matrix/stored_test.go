package matrix_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// storedResults are the folders with what was seen when loops and agents of others were played.
// What a provider's own server said, in oracles/results, is evidence, and in none of them.
var storedResults = []string{"../../results", "../../adapters/pairs/results"}

// mostWords is how many words a text in a stored result may have: a finding has fewer, the prompt
// of an agent and the description of a tool more.
const mostWords = 60

// No stored result has a text as long as those that agents write for their models.
func TestNoLongTextIsStored(t *testing.T) {
	files, texts := 0, 0
	for _, folder := range storedResults {
		err := filepath.WalkDir(folder, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !slices.Contains([]string{".json", ".yaml", ".yml"}, filepath.Ext(file)) || filepath.Base(file) == "loop.yaml" {
				return err
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			var stored any
			if err := yaml.Unmarshal(data, &stored); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			files++
			eachText(stored, func(text string) {
				texts++
				if n := len(strings.Fields(text)); n > mostWords {
					t.Errorf("%s has a text of %d words, want %d at most: %.80s...", file, n, mostWords, text)
				}
			})
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if files < 80 || texts < 1000 {
		t.Errorf("only %d texts in %d files were looked at", texts, files)
	}
}

// eachText calls f for every text in a value of YAML.
func eachText(value any, f func(string)) {
	switch v := value.(type) {
	case string:
		f(v)
	case []any:
		for _, item := range v {
			eachText(item, f)
		}
	case map[string]any:
		for _, member := range v {
			eachText(member, f)
		}
	case map[any]any:
		for _, member := range v {
			eachText(member, f)
		}
	}
}
