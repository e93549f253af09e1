package journal

// Looked returns how many requests were compared with the filter.
func (a *Await) Looked() int { return a.looked }
