package history

import (
	"regexp"
)

// ThinkTags is thinking that is in a text.
var ThinkTags = regexp.MustCompile(`(?s)<think>.*?</think>`)
