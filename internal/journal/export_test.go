package journal

// Looked returns how many requests were held against the filter.
func (a *Await) Looked() int { return a.looked }
