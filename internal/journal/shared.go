package journal

// shared is a part of a text or of a history that refers to the part before it. However many go on
// from it, its bytes are there once, and a budget counts them once, as long as somebody uses it.
type shared struct {
	before *shared
	size   int64  // of its own bytes
	users  [2]int // by their kinds: how many there are, of which later parts that are used are one each
}

func newShared(before *shared, size int64) shared { return shared{before: before, size: size} }

// user is a kind of what uses parts.
type user int

const (
	byHistory user = iota // of clients that may go on
	byEntry               // of a journal
)

// Keep notes that a history ends with a turn, and Drop that it is kept no longer.
func (b *Budget) Keep(t *Turn) { b.use(t.part(), byHistory) }

// Drop is for what [Budget.Keep] noted.
func (b *Budget) Drop(t *Turn) { b.leave(t.part(), byHistory) }

// Full reports whether histories take more than they may.
func (b *Budget) Full() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.kept > min(max(b.limit, leastKeptBytes), mostKeptBytes)
}

func (b *Budget) use(s *shared, by user) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ; s != nil; s = s.before {
		if s.users[by]++; s.users[by] > 1 {
			return // those before it are used already
		}
		b.count(s, by, s.size)
	}
}

func (b *Budget) leave(s *shared, by user) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ; s != nil; s = s.before {
		if s.users[by]--; s.users[by] > 0 {
			return
		}
		b.count(s, by, -s.size)
	}
}

// count counts the bytes of a part that has become used by a kind, or is no longer.
func (b *Budget) count(s *shared, by user, bytes int64) {
	if by == byHistory {
		b.kept += bytes
	}
	if s.users[1-by] == 0 { // else they are counted already
		b.held.Add(bytes)
	}
}
