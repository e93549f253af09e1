package rules

import (
	"github.com/loopproof/loopproof/protocol"
)

// SeesTools are the features of a loop whose tools run where Loopproof sees them.
var SeesTools = []protocol.Feature{protocol.Executions}

// Streams are the features of a loop that reads streams.
var Streams = []protocol.Feature{protocol.Streaming}
