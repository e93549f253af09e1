package rules

import (
	"github.com/loopproof/loopproof/protocol"
)

var SeesTools = []protocol.Feature{protocol.Executions}

var Streams = []protocol.Feature{protocol.Streaming}
