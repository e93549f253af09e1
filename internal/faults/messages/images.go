package messages

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var images = []raw.Fault{
	{
		Name:    "images/keeps-the-prefix",
		Does:    "A whole data URL is where base64 belongs.",
		Reports: []string{"https://github.com/livekit/agents/issues/3867", "https://github.com/felixarntz/ai-services/pull/19"},
		Breaks:  []string{"images/encoded"},
		Make: eachSource(func(r *raw.Request, path string, source gjson.Result) {
			r.Set(path+".data", "data:"+source.Get("media_type").String()+";base64,"+source.Get("data").String())
		}),
	},
}
