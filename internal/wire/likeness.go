package wire

// Likeness tells how surely a JSON object is a request of a dialect.
type Likeness int

// The degrees of likeness. A request is likely one of a dialect if nothing contradicts it, but
// other dialects are possible; it is certain if it has something that only requests of this dialect
// have.
const (
	Unlike Likeness = iota
	Likely
	Certain
)

// LikenessOf tells how surely a JSON object, of which nothing else is known, is a request of the
// dialect.
func (d *Dialect) LikenessOf(body *Node) Likeness {
	switch {
	case !body.Is(Object):
		return Unlike
	case d.Likeness != nil:
		return d.Likeness(body)
	default:
		return likelyIf(HasObjects(body.Get(d.Request.Messages), d.Request.Role))
	}
}

// likelyIf is [Likely] where a condition holds, and [Unlike] where not.
func likelyIf(holds bool) Likeness {
	if holds {
		return Likely
	}
	return Unlike
}

// HasObjects reports whether a value is a list of at least one entry, all of them objects with a
// key.
func HasObjects(list *Node, key string) bool {
	for _, item := range list.All() {
		if !item.Has(key) {
			return false
		}
	}
	return len(list.All()) > 0
}
