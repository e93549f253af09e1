package rules

import (
	"github.com/loopproof/loopproof/protocol"
)

// SeesTools is what a loop claims whose tools run where they are seen.
var SeesTools = []protocol.Feature{protocol.Executions}

// Streams is what a loop claims that reads streams.
var Streams = []protocol.Feature{protocol.Streaming}
