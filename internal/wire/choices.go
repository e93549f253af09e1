package wire

// maxChoices is how many choices an answer has at most: those of OpenAI.
const maxChoices = 128

// Choices makes several choices of one: all say the same, and have their index.
type Choices struct {
	Key   string // of their list in an answer
	Count int    // below 2 nothing is changed
}

// Whole returns an answer that is not streamed with so many choices.
func (c Choices) Whole(answer []byte) []byte {
	if c.Count < 2 {
		return answer
	}
	n := Parsed(answer)
	first := n.Path(c.Key, 0)
	if first == nil {
		return answer
	}
	all := []*Node{first}
	for i := 1; i < min(c.Count, maxChoices); i++ {
		all = append(all, withIndex(first, i))
	}
	n.Path(c.Key).SetItems(all...)
	return n.JSON()
}

// Events returns a stream in which each event comes once for each choice.
func (c Choices) Events(events []Event) []Event {
	if c.Count < 2 {
		return events
	}
	var all []Event
	for _, e := range events {
		all = append(all, e)
		n := Parsed(e.Data)
		first := n.Path(c.Key, 0)
		if first == nil {
			continue
		}
		for i := 1; i < min(c.Count, maxChoices); i++ {
			n.Path(c.Key).SetItems(withIndex(first, i))
			all = append(all, Event{Data: n.JSON()})
		}
	}
	return all
}

func withIndex(choice *Node, index int) *Node {
	other := choice.Clone()
	other.Set("index", index)
	return other
}

// Counted returns an answer with the token counts of so many choices.
func (a *Answer) Counted(choices int) *Answer {
	if choices < 2 {
		return a
	}
	counted := *a
	counted.Usage.Completion *= min(choices, maxChoices)
	return &counted
}
