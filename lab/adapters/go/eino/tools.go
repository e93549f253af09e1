package main

import (
	"context"
	"encoding/json"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/loopproof/loopproof/protocol"
)

// asTools offers the tools of the task to eino, which parses the arguments before it calls them. A
// tool lives at its URL: it gets what eino hands us, and its failures are returned as errors, as a
// tool of eino's users would.
func asTools(tools []protocol.Tool) ([]tool.BaseTool, error) {
	var offered []tool.BaseTool
	for _, each := range tools {
		var parameters jsonschema.Schema
		if err := json.Unmarshal(each.Parameters, &parameters); err != nil {
			return nil, err
		}
		info := &schema.ToolInfo{Name: each.Name, Desc: each.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&parameters)}
		offered = append(offered, utils.NewTool(info, func(ctx context.Context, arguments json.RawMessage) (string, error) {
			return each.Run(ctx, compose.GetToolCallID(ctx), string(arguments))
		}))
	}
	return offered, nil
}
