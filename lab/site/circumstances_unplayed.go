package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// writeUnplayed writes for each dialect which scenarios are not played there, and why: first what
// the dialect cannot say, then what it could and no provider is known to say.
func writeUnplayed(b *bytes.Buffer) error {
	library, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		return err
	}
	known := profiles.All()
	b.WriteString("\n## Not played\n\nWhich scenarios are played nowhere in a wire API. The reasons follow from what a scenario needs and what the API and its providers can say; `loopproof explain SCENARIO` shows those of one.\n")
	for _, d := range dialect.All() {
		cannot, unseen := map[string][]string{}, map[string][]string{}
		for _, s := range library {
			switch reason, is := s.NotPlayedIn(d, known); {
			case !is || !s.Prompted():
			case reason.Unseen:
				unseen[reason.Why] = append(unseen[reason.Why], s.ID)
			default:
				cannot[reason.Why] = append(cannot[reason.Why], s.ID)
			}
		}
		writeReasons(b, d, "It cannot be said, or is about others", cannot)
		writeReasons(b, d, "Nobody was seen to say it", unseen)
	}
	return nil
}

func writeReasons(b *bytes.Buffer, d *wire.Dialect, head string, reasons map[string][]string) {
	count := 0
	for _, ids := range reasons {
		count += len(ids)
	}
	fmt.Fprintf(b, "\n### %s: %s (%d)\n\n| reason | scenarios |\n|---|---|\n", d.Title, strings.ToLower(head), count)
	var whys []string
	for why := range reasons {
		whys = append(whys, why)
	}
	slices.SortFunc(whys, func(x, y string) int {
		if more := len(reasons[y]) - len(reasons[x]); more != 0 {
			return more
		}
		return strings.Compare(x, y)
	})
	for _, why := range whys {
		fmt.Fprintf(b, "| %s | %s |\n", escaped(why), strings.Join(reasons[why], ", "))
	}
}
