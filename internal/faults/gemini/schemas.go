package gemini

import (
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// schemas are faults in the parameters of functions that are declared as a Schema of the API.
var schemas = []raw.Fault{
	{
		Name:   "egress/declares-parameters-twice",
		Does:   "The parameters of a function are given as a Schema and as JSON Schema.",
		Breaks: []string{"egress/parameters-given-once"},
		Make: eachFunction(func(r *raw.Request, path string, f gjson.Result) {
			if schema := f.Get("parametersJsonSchema"); len(schema.Get("properties").Map()) > 0 {
				r.SetRaw(path+".parameters", schema.Raw)
			}
		}),
	},
	{
		Name:    "egress/declares-lists-of-types",
		Does:    "A parameter that may be null has a list of types, as in JSON Schema.",
		Reports: []string{"https://github.com/openclaw/openclaw/issues/112050", "https://github.com/netease-lcap/wave-agent/pull/284", "https://github.com/zed-industries/zed/issues/53919"},
		Breaks:  []string{"egress/schema-type-is-one-word"},
		Make: asSchema(func(schema string) string {
			return raw.SetRaw(schema, "properties.note", `{"type":["string","null"]}`)
		}),
	},
	{
		Name:    "egress/declares-arrays-of-anything",
		Does:    "A parameter that is a list does not say what is in it.",
		Reports: []string{"https://github.com/NousResearch/hermes-agent/pull/69924", "https://github.com/kkrishnan90/gemini-desktop/pull/7", "https://github.com/jackmusick/bifrost/pull/225"},
		Breaks:  []string{"egress/schema-array-has-items"},
		Make: asSchema(func(schema string) string {
			return raw.SetRaw(schema, "properties.tags", `{"type":"array"}`)
		}),
	},
	{
		Name:    "egress/declares-arrays-of-arrays-of-anything",
		Does:    "A parameter that is a list of lists does not say what is in those.",
		Reports: []string{"https://github.com/TokenRhythm/opensquilla/issues/1263"},
		Breaks:  []string{"egress/schema-array-has-items"},
		Make: asSchema(func(schema string) string {
			return raw.SetRaw(schema, "properties.rows", `{"type":"array","items":{"type":"array"}}`)
		}),
	},
	{
		Name:    "egress/requires-what-it-dropped",
		Does:    "A parameter that the loop does not pass on is still required.",
		Reports: []string{"https://github.com/znlsl/Antigravity2Api/issues/22", "https://github.com/iBUHub/AIStudioToAPI/issues/154"},
		Breaks:  []string{"egress/schema-required-is-defined"},
		Make:    asSchema(func(schema string) string { return raw.Set(schema, "required.-1", "format") }),
	},
	{
		Name:    "egress/allows-an-empty-text-in-an-enum",
		Does:    "An enum has an empty text, for nothing.",
		Reports: []string{"https://github.com/Bobsilvio/ha-claude/pull/32", "https://github.com/Smana/runlore/issues/40"},
		Breaks:  []string{"egress/schema-enum-not-empty"},
		Make: asSchema(func(schema string) string {
			return raw.SetRaw(schema, "properties.remark", `{"type":"string","enum":["short",""]}`)
		}),
	},
	{
		Name:    "egress/declares-enums-of-numbers",
		Does:    "The values of an enum are numbers.",
		Reports: []string{"https://github.com/Draculabo/AntigravityManager/pull/260"},
		Breaks:  []string{"egress/schema-enum-of-texts"},
		Make: asSchema(func(schema string) string {
			return raw.SetRaw(schema, "properties.days", `{"type":"string","enum":[1,3,7]}`)
		}),
	},
	{
		Name:    "egress/declares-enums-of-whole-numbers",
		Does:    "A whole number has an enum.",
		Reports: []string{"https://github.com/diegosouzapw/OmniRoute/pull/760", "https://github.com/directus/directus/issues/27100"},
		Breaks:  []string{"egress/schema-enum-of-strings-alone"},
		Make: asSchema(func(schema string) string {
			return raw.SetRaw(schema, "properties.days", `{"type":"integer","enum":["1","3","7"]}`)
		}),
	},
	{
		Name:    "egress/declares-enums-without-a-type",
		Does:    "A parameter with an enum has no type.",
		Reports: []string{"https://github.com/decolua/9router/issues/359"},
		Breaks:  []string{"egress/schema-enum-of-strings-alone"},
		Make: asSchema(func(schema string) string {
			return raw.SetRaw(schema, "properties.scale", `{"enum":["C","F"]}`)
		}),
	},
	{
		Name:    "egress/declares-formats-of-json-schema",
		Does:    "A text has a format that only JSON Schema knows.",
		Reports: []string{"https://github.com/enechange/collmbo/pull/195", "https://github.com/labring/aiproxy/pull/312"},
		Breaks:  []string{"egress/schema-format-known"},
		Make: asSchema(func(schema string) string {
			return raw.SetRaw(schema, "properties.page", `{"type":"string","format":"uri"}`)
		}),
	},
	{
		Name:    "egress/declares-properties-of-texts",
		Does:    "A parameter that is a text has properties.",
		Reports: []string{"https://github.com/anomalyco/opencode/pull/11888"},
		Breaks:  []string{"egress/schema-properties-of-objects-alone"},
		Make: asSchema(func(schema string) string {
			return raw.SetRaw(schema, "properties.data", `{"type":"string","properties":{"a":{"type":"string"}}}`)
		}),
	},
	{
		Name:    "egress/declares-empty-objects",
		Does:    "A parameter is an object without properties.",
		Reports: []string{"https://github.com/browser-use/browser-use/issues/7", "https://github.com/agno-agi/agno/issues/2112", "https://github.com/vercel/ai/issues/3371"},
		Breaks:  []string{"egress/schema-object-has-properties"},
		Make: asSchema(func(schema string) string {
			return raw.SetRaw(schema, "properties.options", `{"type":"object","properties":{}}`)
		}),
	},
	{
		Name:    "egress/declares-names-that-begin-with-a-digit",
		Does:    "Another function is declared, whose name begins with a digit.",
		Reports: []string{"https://github.com/cline/cline/issues/7339", "https://github.com/NoeFabris/opencode-antigravity-auth/pull/280"},
		Breaks:  []string{"egress/function-name-begins-with-a-letter"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if n := len(r.Get("tools.0.functionDeclarations").Array()); n > 0 {
				r.SetRaw("tools.0.functionDeclarations."+strconv.Itoa(n), `{"name":"21st_magic","description":"A tool of another server."}`)
			}
		}),
	},
}

// asSchema makes a loop that declares its functions with a Schema of the API, and that otherwise.
func asSchema(change func(schema string) string) func() raw.Mutation {
	return eachFunction(func(r *raw.Request, path string, f gjson.Result) {
		schema := f.Get("parametersJsonSchema")
		if len(schema.Get("properties").Map()) == 0 {
			return
		}
		r.Delete(path + ".parametersJsonSchema")
		r.SetRaw(path+".parameters", change(schema.Raw))
	})
}
