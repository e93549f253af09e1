package page

import (
	"fmt"
	"strings"
)

// Bar is a row of counts as a bar, whose parts are as long as what they count.
type Bar struct {
	Name, URL string
	Parts     []BarPart
}

// BarPart is a part of a bar.
type BarPart struct {
	Class, Says string // "broken must": what is counted
	Count       int
	X, Width    string // in percent of the longest bar
}

// Says tells the counts in words.
func (b Bar) Says() string {
	var said []string
	for _, p := range b.Parts {
		said = append(said, fmt.Sprintf("%d %s", p.Count, p.Says))
	}
	return strings.Join(said, ", ")
}

// Scale leaves out empty parts, and makes the longest of the bars fill the room that there is.
func Scale(bars []Bar) []Bar {
	most := 1
	for i := range bars {
		sum := 0
		var parts []BarPart
		for _, p := range bars[i].Parts {
			if p.Count > 0 {
				parts = append(parts, p)
				sum += p.Count
			}
		}
		bars[i].Parts = parts
		most = max(most, sum)
	}
	for _, b := range bars {
		at := 0
		for k := range b.Parts {
			p := &b.Parts[k]
			p.X, p.Width = percent(at, most), percent(p.Count, most)
			at += p.Count
		}
	}
	return bars
}

func percent(n, of int) string { return fmt.Sprintf("%.2f%%", 100*float64(n)/float64(of)) }
