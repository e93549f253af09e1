package knownfailing

import "slices"

// ChangedSince returns the patterns of the cases in which the list expects something else than an
// older text of it, sorted: those of the entries that only one of the two has. Another reason
// changes nothing. The error says what is wrong in the older text, which file names.
func (e *List) ChangedSince(file string, older []byte) ([]string, error) {
	before, err := parse(file, older, false)
	if err != nil {
		return nil, err
	}
	var patterns []string
	for _, lists := range [][2]*List{{e, before}, {before, e}} {
		for _, entry := range lists[0].Entries {
			if !slices.ContainsFunc(lists[1].Entries, entry.expectsAs) {
				patterns = append(patterns, entry.Case)
			}
		}
	}
	slices.Sort(patterns)
	return slices.Compact(patterns), nil
}

// expectsAs reports whether two entries expect the same of the same cases.
func (e *Entry) expectsAs(other Entry) bool {
	return e.Rule == other.Rule && e.Case == other.Case && e.Message == other.Message
}
