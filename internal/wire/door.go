package wire

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Door is where a cloud has the API of a dialect in a form of its own: on paths that name the model,
// with the version of the API in the body of a request, and perhaps in another framing. A profile
// names the one behind which its provider is.
type Door struct {
	Name  string // in profiles: vertex
	Title string // as people call it: Vertex AI
	Key   string // under which a request has the version of the API: anthropic_version

	// Versions are those of which it has to be one, the one that all clients know first.
	Versions []string

	// Query is the parameter of the URL that has the version in place of the body, a date that may end
	// in -preview: api-version. Never are dates under which the API was not to be had.
	Query string
	Never []string

	Also    []string // keys of a request besides those of the dialect's reference
	Without []string // keys of the reference that a request has not, since its path or other keys say it
	Framer  *Framer  // of its streams; nil: that of the dialect
}

// Door returns the dialect's door of a name, or nil.
func (d *Dialect) Door(name string) *Door {
	if at := slices.IndexFunc(d.Doors, func(door *Door) bool { return door.Name == name }); at >= 0 {
		return d.Doors[at]
	}
	return nil
}

var dated = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^20\d\d-[01]\d-[0-3]\d(-preview)?$`) })

// Takes reports whether the URL of a request may have a version of the API.
func (d *Door) Takes(version string) bool {
	return dated().MatchString(version) && !slices.Contains(d.Never, version)
}

// Keys returns which keys a request may have at the door, of those that it may have elsewhere. A nil
// one is no door.
func (d *Door) Keys(elsewhere []string) []string {
	if d == nil {
		return elsewhere
	}
	without := func(key string) bool { return slices.Contains(d.Without, key) }
	return append(slices.DeleteFunc(slices.Clone(elsewhere), without), d.Also...)
}

// EveryDelivery returns the deliveries of its answers, those at its doors too.
func (d *Dialect) EveryDelivery() []Delivery {
	all := d.Deliveries()
	for _, door := range d.Doors {
		for _, by := range d.DeliveriesAt(door) {
			if !slices.Contains(all, by) {
				all = append(all, by)
			}
		}
	}
	return all
}

// FramesOf returns how a stream is framed whose content type is known: as elsewhere, or as at a door.
func (d *Dialect) FramesOf(contentType string) *Framer {
	for _, door := range d.Doors {
		if by := d.FramesAt(door); by.Type != d.Frames().Type && strings.HasPrefix(contentType, by.Type) {
			return by
		}
	}
	return d.Frames()
}

// FramesAt returns how streams of the dialect are framed at a door, or at none.
func (d *Dialect) FramesAt(door *Door) *Framer {
	if door != nil && door.Framer != nil {
		return door.Framer
	}
	return d.Frames()
}
