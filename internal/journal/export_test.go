package journal

// Looked returns how many requests were compared with the filter.
func (a *Await) Looked() int { return a.looked }

// Held returns how many bytes are held.
func (b *Budget) Held() int64 { return b.held.Load() }
