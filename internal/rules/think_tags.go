package rules

import (
	"regexp"
	"sync"
)

// ThinkTags matches thinking that is written in a text.
var ThinkTags = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<think>.*?</think>`) })
