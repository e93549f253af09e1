package chat

import (
	"strings"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var images = []raw.Fault{
	{
		Name:    "images/leaves-out-the-prefix",
		Does:    "Base64 alone is where a URL belongs.",
		Reports: []string{"https://github.com/vercel/ai/pull/16655", "https://github.com/WordPress/php-ai-client/issues/137"},
		Breaks:  []string{"images/encoded"},
		Make: rawURL(func(url string) string {
			_, data, _ := strings.Cut(url, ",")
			return data
		}),
	},
}
