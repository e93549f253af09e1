package gemini

import (
	"strconv"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// retryDetails says how long to wait as Google does, in no header: https://google.aip.dev/193 and google/rpc/error_details.proto.
// A Duration is seconds with a fraction: 34.4s.
func retryDetails(wait time.Duration) []wire.Fields {
	return []wire.Fields{{
		{Key: "@type", Value: "type.googleapis.com/google.rpc.RetryInfo"},
		{Key: "retryDelay", Value: strconv.FormatFloat(wait.Seconds(), 'f', -1, 64) + "s"},
	}}
}
