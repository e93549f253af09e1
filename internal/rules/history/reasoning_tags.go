package history

import (
	"regexp"
)

// ThinkTags is thinking that stands in a text.
var ThinkTags = regexp.MustCompile(`(?s)<think>.*?</think>`)
