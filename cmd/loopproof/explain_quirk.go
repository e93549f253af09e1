package main

import (
	"slices"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
)

// quirk explains a quirk: which providers show it, how that is known, and where it is tested.
func (b *book) quirk(page *textlayout.Builder, q wire.Quirk) {
	title(page, q.Name, "quirk", "The provider "+q.Does+".")
	for _, r := range rulebook.Book() {
		if r.IsAbout(q.Name) {
			page.Item("judged by", r.ID)
		}
	}
	for _, s := range b.scenarios {
		if slices.Contains(s.Facts().Quirks, q.Name) {
			page.Item("played in", s.ID)
		}
	}
	heading(page, "Providers")
	for _, p := range b.profiles {
		if shown, ok := p.Quirk(q.Name); ok {
			seen := known(shown.Proof)
			switch {
			case shown.Always:
				seen = "always " + seen
			case shown.Until != "":
				seen = "until " + shown.Until + " " + seen
			case shown.Unseen:
				seen = "allowed, but not seen: " + seen
			}
			page.Item(p.Name, seen)
		}
	}
}
