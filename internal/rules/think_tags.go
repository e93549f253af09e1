package rules

import (
	"regexp"
	"sync"
)

// ThinkTags is thinking that is in a text.
var ThinkTags = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<think>.*?</think>`) })
