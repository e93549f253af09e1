package rules

var (
	// seeing looks at the harbour, and hears what the weather is there.
	seeing = scene(`
needs: [images, parallel-calls]
prompt: What do you see in the harbour?
tools:
  look:
    parameters: {place: string}
    results: [{image: png}]
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - calls:
      - {as: harbour, tool: look, arguments: '{"place":"harbour"}'}
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
  - text: A ship.
`)
	// comparing looks twice.
	comparing = scene(`
needs: [images, parallel-calls]
prompt: Which one is larger?
tools:
  look:
    parameters: {place: string}
    results: [{when: {place: left}, image: png}, {image: jpeg}]
model:
  - calls:
      - {as: left, tool: look, arguments: '{"place":"left"}'}
      - {as: right, tool: look, arguments: '{"place":"right"}'}
  - text: The right one.
`)
	seeingBlocks = seeing.under("anthropic")
)

// looked is a run whose second request brings the results of both calls in these messages.
func looked(messages string) string {
	return `
		asks
		runs harbour
		runs oslo
		asks on
			calls harbour, oslo
			` + messages + `
		completed`
}

// lookedLeftAndRight is the same for the other scene.
func lookedLeftAndRight(messages string) string {
	return `
		asks
		runs left
		runs right
		asks on
			calls left, right
			` + messages + `
		completed`
}

const (
	harbourURL   = `{"type":"image_url","image_url":{"url":"data:image/png;base64,{{picture harbour}}"}}`
	harbourBlock = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"{{picture harbour}}"}}`
	osloText     = `{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C"}`
	noted        = `{"role":"tool","tool_call_id":"{{harbour}}","content":"See below."}
			result oslo
			`
)

// harbourResult is a message of the user with the results of both calls, in the dialect messages, and more blocks.
func harbourResult(content, more string) string {
	return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{harbour}}","content":` + content + `},` + osloText + more + `]}`
}

func fromTheUser(parts string) string { return noted + `{"role":"user","content":[` + parts + `]}` }

var imageCases = ruleCases{
	"images/reach-the-model": {
		holds("in a message of the user behind the results", seeing, looked(fromTheUser(`{"type":"text","text":"The image of look:"},`+harbourURL))),
		holds("in the result, where that is taken", seeing.under("llamacpp"), looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":[`+harbourURL+`]}
			result oslo`)),
		holds("in the result of the dialect messages", seeingBlocks, looked(harbourResult(`[`+harbourBlock+`]`, ""))),
		holds("beside the results", seeingBlocks, looked(harbourResult(`"See below."`, `,`+harbourBlock))),
		holds("two images in one message, in another order", comparing, lookedLeftAndRight(`
			{"role":"tool","tool_call_id":"{{left}}","content":"See below."}
			{"role":"tool","tool_call_id":"{{right}}","content":"See below."}
			{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,{{picture right}}"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,{{picture left}}"}}]}`)),
		holds("behind a turn that was put between", seeing, looked(noted+`assistant: OK
			{"role":"user","content":[`+harbourURL+`]}`)),
		holds("another image made of it", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"data:image/webp;base64,UklGRgAAAABXRUJQVlA4"}}`))),
		holds("an image that was put elsewhere", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"https://example.com/harbour.png"}}`))),
		breaks("a placeholder", seeing, looked(noted), finding{2, "/messages/2", "the image that the call harbour brought does not reach the model",
			"an image of the type image/png, of {{bytes harbour}} bytes", `"See below."`}),
		breaks("one of two images", comparing, lookedLeftAndRight(`
			{"role":"tool","tool_call_id":"{{left}}","content":"See below."}
			{"role":"tool","tool_call_id":"{{right}}","content":"See below."}
			{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,{{picture right}}"}}]}`),
			finding{2, "/messages/2", "the image that the call left brought does not reach the model",
				"an image of the type image/png, of {{bytes left}} bytes", `"See below."`}),
		seesNothing("the result is missing", seeing, looked("result oslo")),
		seesNothing("the tool was not run", seeing, `
			asks
			runs oslo
			completed`),
	},
	"images/arrive-whole": {
		holds("as it was", seeing, looked(fromTheUser(harbourURL))),
		holds("an image of a kind that is not read here", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"data:image/webp;base64,UklGRgAAAABXRUJQVlA4"}}`))),
		holds("another image, whole", comparing, lookedLeftAndRight(`
			{"role":"tool","tool_call_id":"{{left}}","content":"See below."}
			{"role":"tool","tool_call_id":"{{right}}","content":"See below."}
			{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,{{picture right}}"}},{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,{{picture right}}"}}]}`)),
		breaks("half of it", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"data:image/png;base64,{{half harbour}}"}}`)),
			finding{2, "/messages/4/content/0", "the image that the call harbour brought cannot be read any more", "{{bytes harbour}} bytes", "{{halfbytes harbour}} bytes, which are no whole image"}),
		breaks("a text in the place of it", seeingBlocks, looked(harbourResult(`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGVsbG8="}}]`, "")),
			finding{2, "/messages/2/content/0/content/0", "the image that the call harbour brought cannot be read any more", "{{bytes harbour}} bytes", "5 bytes, which are no whole image"}),
		seesNothing("it does not arrive", seeing, looked(noted)),
		seesNothing("it was put elsewhere", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"https://example.com/harbour.png"}}`))),
	},
	"images/not-as-text": {
		holds("as an image", seeing, looked(fromTheUser(harbourURL))),
		holds("as a placeholder", seeing, looked(noted)),
		breaks("in base64", seeing, looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":"{\"data\":\"{{picture harbour}}\"}"}
			result oslo`),
			finding{2, "/messages/2", "a text holds the bytes of the image that the call harbour brought", "an image, or no bytes of it", `{"role":"tool","tool_call_id":"{{harbour}}","content":"{\"data\":\"{{picture harbour}}\"}"}`}),
		breaks("as numbers, in the dialect messages", seeingBlocks, looked(harbourResult(`[{"type":"text","text":"[{{numbers harbour}}]"}]`, "")),
			finding{2, "/messages/2", "a text holds the bytes of the image that the call harbour brought", "an image, or no bytes of it", harbourResult(`[{"type":"text","text":"[{{numbers harbour}}]"}]`, "")}),
		seesNothing("the result is missing", seeing, looked("result oslo")),
	},
	"images/in-the-result": {
		holds("in the result", seeingBlocks, looked(harbourResult(`[{"type":"text","text":"Here:"},`+harbourBlock+`]`, ""))),
		breaks("beside the result", seeingBlocks, looked(harbourResult(`"See below."`, `,`+harbourBlock)),
			finding{2, "/messages/2/content/2", "the image that the call harbour brought stands beside its result", "the image in /messages/2/content/0", harbourBlock}),
		seesNothing("it does not arrive", seeingBlocks, looked(harbourResult(`"See below."`, ""))),
	},
	"images/where-they-are-taken": {
		holds("from the user", seeing, looked(fromTheUser(harbourURL))),
		holds("in a tool message of llama.cpp", seeing.under("llamacpp"), looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":[`+harbourURL+`]}
			result oslo`)),
		breaks("in a tool message of OpenAI", seeing, looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":[{"type":"text","text":"Here:"},`+harbourURL+`]}
			result oslo`),
			finding{2, "/messages/2/content/1", "an image in a message with the role tool", "images in messages of the user", harbourURL}),
		breaks("in a message of the assistant", seeing.under("llamacpp"), looked(fromTheUser(harbourURL)+`
			{"role":"assistant","content":[`+harbourURL+`]}`),
			finding{2, "/messages/5/content/0", "an image in a message with the role assistant", "images in messages of the user and of tools", harbourURL}),
		seesNothing("no image", seeing, looked(noted)),
	},
	"images/encoded": {
		holds("a data URL", seeing, looked(fromTheUser(harbourURL))),
		holds("a URL", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"https://example.com/harbour.png"}}`))),
		holds("base64 in the dialect messages", seeingBlocks, looked(harbourResult(`[`+harbourBlock+`]`, ""))),
		holds("a file that was uploaded", seeingBlocks, looked(harbourResult(`[{"type":"image","source":{"type":"file","file_id":"file_1"}}]`, ""))),
		breaks("no prefix", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"iVBORw0KGgo="}}`)),
			finding{2, "/messages/4/content/0", "an image that cannot be read: a value without the 'data:' prefix", "a data URL such as data:image/png;base64,iVBORw0", `{"type":"image_url","image_url":{"url":"iVBORw0KGgo="}}`}),
		breaks("no base64", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"data:image/png;base64,[object Object]"}}`)),
			finding{2, "/messages/4/content/0", "an image that cannot be read: an invalid base64-encoded value", "a data URL such as data:image/png;base64,iVBORw0", `{"type":"image_url","image_url":{"url":"data:image/png;base64,[object Object]"}}`}),
		breaks("nothing", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"data:image/png;base64,"}}`)),
			finding{2, "/messages/4/content/0", "an image that cannot be read: empty base64-encoded bytes", "a data URL such as data:image/png;base64,iVBORw0", `{"type":"image_url","image_url":{"url":"data:image/png;base64,"}}`}),
		breaks("the URL alone", seeing, looked(fromTheUser(`{"type":"image_url","image_url":"data:image/png;base64,iVBORw0KGgo="}`)),
			finding{2, "/messages/4/content/0", "an image that cannot be read: no object with a url", "a data URL such as data:image/png;base64,iVBORw0", `{"type":"image_url","image_url":"data:image/png;base64,iVBORw0KGgo="}`}),
		breaks("a prefix in the dialect messages", seeingBlocks, looked(harbourResult(`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"data:image/png;base64,iVBORw0KGgo="}}]`, "")),
			finding{2, "/messages/2/content/0/content/0", "an image that cannot be read: a value with a 'data:' prefix", "base64 without a prefix", `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"data:image/png;base64,iVBORw0KGgo="}}`}),
		breaks("no source", seeingBlocks, looked(harbourResult(`[{"type":"image"}]`, "")),
			finding{2, "/messages/2/content/0/content/0", "an image that cannot be read: no source with a type", "base64 without a prefix", `{"type":"image"}`}),
		seesNothing("no image", seeing, looked(noted)),
	},
	"images/media-type-true": {
		holds("as it is", seeing, looked(fromTheUser(harbourURL))),
		holds("another word for it", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"data:image/jpg;base64,/9j/4AAQSkZJRg=="}}`))),
		breaks("always image/jpeg", seeingBlocks, looked(harbourResult(`[{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"iVBORw0KGgo="}}]`, "")),
			finding{2, "/messages/2/content/0/content/0", "an image of another type than it says", "image/png", "image/jpeg"}),
		breaks("the same in a data URL", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,iVBORw0KGgo="}}`)),
			finding{2, "/messages/4/content/0", "an image of another type than it says", "image/png", "image/jpeg"}),
		seesNothing("no image that is known", seeing, looked(fromTheUser(`{"type":"image_url","image_url":{"url":"data:image/x;base64,aGVsbG8="}}`))),
	},
	"images/media-type-known": {
		holds("one of the four", seeingBlocks, looked(harbourResult(`[`+harbourBlock+`]`, ""))),
		breaks("image/jpg", seeingBlocks, looked(harbourResult(`[{"type":"image","source":{"type":"base64","media_type":"image/jpg","data":"/9j/4AAQSkZJRg=="}}]`, "")),
			finding{2, "/messages/2/content/0/content/0/source/media_type", "the media type of an image that the provider does not know", "one of image/jpeg, image/png, image/gif, image/webp", `"image/jpg"`}),
		seesNothing("an image that is elsewhere", seeingBlocks, looked(harbourResult(`[{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]`, ""))),
	},
}
