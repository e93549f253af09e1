package images_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	// comparing looks twice.
	comparing = Scene(`
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
	seeingBlocks = Seeing.Under("anthropic")
)

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
	harbourBlock = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"{{picture harbour}}"}}`
	osloText     = `{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C"}`
)

// harbourResult is a message of the user with the results of both calls, in the dialect messages,
// and more blocks.
func harbourResult(content, more string) string {
	return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{harbour}}","content":` + content + `},` + osloText + more + `]}`
}

var coreCases = Cases{
	"images/decodable": {
		Holds("as the tool returned it", Seeing, Looked(FromTheUser(HarbourURL))),
		Holds("another type than it says, about which there is a rule", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,{{picture harbour}}"}}`))),
		SeesNothing("elsewhere", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}`))),
		SeesNothing("of a type that is not looked at", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"data:image/heic;base64,AAAA"}}`))),
		Breaks("a drawing", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"data:image/png;base64,PHN2Zy8+"}}`)),
			Found(2, "/messages/4/content/0", "the data of an image is no image", "image/png", `"<svg/>"`)),
	},
	"images/reach-the-model": {
		Holds("in a message of the user after the results", Seeing, Looked(FromTheUser(`{"type":"text","text":"The image of look:"},`+HarbourURL))),
		Holds("in the result, where that is taken", Seeing.Under("llamacpp"), Looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":[`+HarbourURL+`]}
			result oslo`)),
		Holds("in the result of the dialect messages", seeingBlocks, Looked(harbourResult(`[`+harbourBlock+`]`, ""))),
		Holds("alongside the results", seeingBlocks, Looked(harbourResult(`"See below."`, `,`+harbourBlock))),
		Holds("two images in one message, in another order", comparing, lookedLeftAndRight(`
			{"role":"tool","tool_call_id":"{{left}}","content":"See below."}
			{"role":"tool","tool_call_id":"{{right}}","content":"See below."}
			{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,{{picture right}}"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,{{picture left}}"}}]}`)),
		Holds("after a turn that was put between", Seeing, Looked(Noted+`assistant: OK
			{"role":"user","content":[`+HarbourURL+`]}`)),
		Holds("another image made of it", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"data:image/webp;base64,UklGRgAAAABXRUJQVlA4"}}`))),
		Holds("an image that was put elsewhere", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"https://example.com/harbour.png"}}`))),
		Breaks("a placeholder", Seeing, Looked(Noted), Found(2, "/messages/2", "the image that the call harbour brought does not reach the model",
			"an image of the type image/png, of {{bytes harbour}} bytes", `"See below."`)),
		Breaks("one of two images", comparing, lookedLeftAndRight(`
			{"role":"tool","tool_call_id":"{{left}}","content":"See below."}
			{"role":"tool","tool_call_id":"{{right}}","content":"See below."}
			{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,{{picture right}}"}}]}`),
			Found(2, "/messages/2", "the image that the call left brought does not reach the model",
				"an image of the type image/png, of {{bytes left}} bytes", `"See below."`)),
		SeesNothing("the result is missing", Seeing, Looked("result oslo")),
		SeesNothing("the tool was not run", Seeing, `
			asks
			runs oslo
			completed`),
	},
	"images/arrive-whole": {
		Holds("as it was", Seeing, Looked(FromTheUser(HarbourURL))),
		Holds("an image of a kind that is not read here", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"data:image/webp;base64,UklGRgAAAABXRUJQVlA4"}}`))),
		Holds("another image, whole", comparing, lookedLeftAndRight(`
			{"role":"tool","tool_call_id":"{{left}}","content":"See below."}
			{"role":"tool","tool_call_id":"{{right}}","content":"See below."}
			{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,{{picture right}}"}},{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,{{picture right}}"}}]}`)),
		Breaks("half of it", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"data:image/png;base64,{{half harbour}}"}}`)),
			Found(2, "/messages/4/content/0", "the image that the call harbour brought cannot be read any more", "{{bytes harbour}} bytes", "{{halfbytes harbour}} bytes, which are no whole image")),
		Breaks("a text in the place of it", seeingBlocks, Looked(harbourResult(`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGVsbG8="}}]`, "")),
			Found(2, "/messages/2/content/0/content/0", "the image that the call harbour brought cannot be read any more", "{{bytes harbour}} bytes", "5 bytes, which are no whole image")),
		SeesNothing("it does not arrive", Seeing, Looked(Noted)),
		SeesNothing("it was put elsewhere", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"https://example.com/harbour.png"}}`))),
	},
	"images/not-as-text": {
		Holds("as an image", Seeing, Looked(FromTheUser(HarbourURL))),
		Holds("as a placeholder", Seeing, Looked(Noted)),
		Breaks("in base64", Seeing, Looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":"{\"data\":\"{{picture harbour}}\"}"}
			result oslo`),
			Found(2, "/messages/2", "a text holds the bytes of the image that the call harbour brought", "an image, or no bytes of it", `{"role":"tool","tool_call_id":"{{harbour}}","content":"{\"data\":\"{{picture harbour}}\"}"}`)),
		Breaks("as numbers, in the dialect messages", seeingBlocks, Looked(harbourResult(`[{"type":"text","text":"[{{numbers harbour}}]"}]`, "")),
			Found(2, "/messages/2", "a text holds the bytes of the image that the call harbour brought", "an image, or no bytes of it", harbourResult(`[{"type":"text","text":"[{{numbers harbour}}]"}]`, ""))),
		SeesNothing("the result is missing", Seeing, Looked("result oslo")),
	},
	"images/in-the-result": {
		Holds("in the result", seeingBlocks, Looked(harbourResult(`[{"type":"text","text":"Here:"},`+harbourBlock+`]`, ""))),
		Breaks("alongside the result", seeingBlocks, Looked(harbourResult(`"See below."`, `,`+harbourBlock)),
			Found(2, "/messages/2/content/2", "the image that the call harbour brought is alongside its result", "the image in /messages/2/content/0", harbourBlock)),
		SeesNothing("it does not arrive", seeingBlocks, Looked(harbourResult(`"See below."`, ""))),
	},
	"images/where-they-are-taken": {
		Holds("from the user", Seeing, Looked(FromTheUser(HarbourURL))),
		Holds("in a tool message of llama.cpp", Seeing.Under("llamacpp"), Looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":[`+HarbourURL+`]}
			result oslo`)),
		Breaks("in a tool message of OpenAI", Seeing, Looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":[{"type":"text","text":"Here:"},`+HarbourURL+`]}
			result oslo`),
			Found(2, "/messages/2/content/1", "an image in a message with the role tool", "images in messages of the user", HarbourURL)),
		Breaks("in a message of the assistant", Seeing.Under("llamacpp"), Looked(FromTheUser(HarbourURL)+`
			{"role":"assistant","content":[`+HarbourURL+`]}`),
			Found(2, "/messages/5/content/0", "an image in a message with the role assistant", "images in messages of the user and of tools", HarbourURL)),
		SeesNothing("no image", Seeing, Looked(Noted)),
	},
	"images/encoded": {
		Holds("a data URL", Seeing, Looked(FromTheUser(HarbourURL))),
		Holds("a URL", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"https://example.com/harbour.png"}}`))),
		Holds("base64 in the dialect messages", seeingBlocks, Looked(harbourResult(`[`+harbourBlock+`]`, ""))),
		Holds("a file that was uploaded", seeingBlocks, Looked(harbourResult(`[{"type":"image","source":{"type":"file","file_id":"file_1"}}]`, ""))),
		Breaks("no prefix", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"iVBORw0KGgo="}}`)),
			Found(2, "/messages/4/content/0", "an image that cannot be read: a value without the 'data:' prefix", "a data URL such as data:image/png;base64,iVBORw0", `{"type":"image_url","image_url":{"url":"iVBORw0KGgo="}}`)),
		Breaks("no base64", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"data:image/png;base64,[object Object]"}}`)),
			Found(2, "/messages/4/content/0", "an image that cannot be read: an invalid base64-encoded value", "a data URL such as data:image/png;base64,iVBORw0", `{"type":"image_url","image_url":{"url":"data:image/png;base64,[object Object]"}}`)),
		Breaks("nothing", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"data:image/png;base64,"}}`)),
			Found(2, "/messages/4/content/0", "an image that cannot be read: empty base64-encoded bytes", "a data URL such as data:image/png;base64,iVBORw0", `{"type":"image_url","image_url":{"url":"data:image/png;base64,"}}`)),
		Breaks("the URL alone", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":"data:image/png;base64,iVBORw0KGgo="}`)),
			Found(2, "/messages/4/content/0", "an image that cannot be read: no object with a url", "a data URL such as data:image/png;base64,iVBORw0", `{"type":"image_url","image_url":"data:image/png;base64,iVBORw0KGgo="}`)),
		Breaks("a prefix in the dialect messages", seeingBlocks, Looked(harbourResult(`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"data:image/png;base64,iVBORw0KGgo="}}]`, "")),
			Found(2, "/messages/2/content/0/content/0", "an image that cannot be read: a value with a 'data:' prefix", "base64 without a prefix", `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"data:image/png;base64,iVBORw0KGgo="}}`)),
		Breaks("no source", seeingBlocks, Looked(harbourResult(`[{"type":"image"}]`, "")),
			Found(2, "/messages/2/content/0/content/0", "an image that cannot be read: no source with a type", "base64 without a prefix", `{"type":"image"}`)),
		SeesNothing("no image", Seeing, Looked(Noted)),
	},
	"images/media-type-true": {
		Holds("as it is", Seeing, Looked(FromTheUser(HarbourURL))),
		Holds("another word for it", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"data:image/jpg;base64,/9j/4AAQSkZJRg=="}}`))),
		Breaks("always image/jpeg", seeingBlocks, Looked(harbourResult(`[{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"iVBORw0KGgo="}}]`, "")),
			Found(2, "/messages/2/content/0/content/0", "an image of another type than it says", "image/png", "image/jpeg")),
		Breaks("the same in a data URL", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,iVBORw0KGgo="}}`)),
			Found(2, "/messages/4/content/0", "an image of another type than it says", "image/png", "image/jpeg")),
		SeesNothing("no image that is known", Seeing, Looked(FromTheUser(`{"type":"image_url","image_url":{"url":"data:image/x;base64,aGVsbG8="}}`))),
	},
	"images/media-type-known": {
		Holds("one of the four", seeingBlocks, Looked(harbourResult(`[`+harbourBlock+`]`, ""))),
		Breaks("image/jpg", seeingBlocks, Looked(harbourResult(`[{"type":"image","source":{"type":"base64","media_type":"image/jpg","data":"/9j/4AAQSkZJRg=="}}]`, "")),
			Found(2, "/messages/2/content/0/content/0/source/media_type", "the media type of an image that the provider does not know", "one of image/jpeg, image/png, image/gif, image/webp", `"image/jpg"`)),
		SeesNothing("an image that is elsewhere", seeingBlocks, Looked(harbourResult(`[{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]`, ""))),
	},
}
