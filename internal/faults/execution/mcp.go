package execution

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/wire"
)

var overMCP = []hooks.Fault{
	{
		Name:   "execution/reads-images-alone",
		Does:   "Of a result of a server of MCP that has an image, the model sees no text.",
		Needs:  wire.ImageResults,
		Breaks: []string{"execution/every-block-reaches-the-model"},
		Make: hooks.OverMCP(func(r hooks.MCPResult) []string {
			if data, _ := r.Image(); data != "" {
				return nil
			}
			return r.Said()
		}),
	},
	{
		Name:    "execution/reads-the-first-block",
		Does:    "Of a result of a server of MCP the model sees the first block.",
		Reports: []string{"https://github.com/openJiuwen-ai/agent-core/issues/290", "https://github.com/anthropics/claude-code/issues/79944"},
		Breaks:  []string{"execution/every-block-reaches-the-model"},
		Make:    hooks.OverMCP(func(r hooks.MCPResult) []string { return append(r.Besides(), append(r.StructuredText(), "")...)[:1] }),
	},
	{
		Name:    "execution/reads-no-structured-content",
		Does:    "Of a result of a server of MCP the model sees the texts, also where there are none.",
		Reports: []string{"https://github.com/MoonshotAI/kimi-code/issues/2554"},
		Breaks:  []string{"execution/every-block-reaches-the-model"},
		Make:    hooks.OverMCP(hooks.MCPResult.Texts),
	},
}
