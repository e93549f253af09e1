package mcp_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// reading is a scene whose tool returns a document beside a text.
var reading = Scene(`
needs: [mcp-tools]
prompt: Read it.
tools:
  read_it:
    parameters: {what: string}
    results: [{text: Found it., more: [{media: pdf}]}]
model:
  - calls: [{as: read, tool: read_it, arguments: '{"what":"it"}'}]
  - text: I have read it.
`)

const (
	note     = `{"role":"tool","tool_call_id":"{{read}}","content":"Found it."}`
	shown    = `{"role":"user","content":[{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,{{file read}}"}}]}`
	cut      = `{"role":"user","content":[{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,{{halffile read}}"}}]}`
	inWords  = `{"role":"tool","tool_call_id":"{{read}}","content":"Found it. {\"blob\":\"{{file read}}\"}"}`
	uploaded = `{"role":"user","content":[{"type":"file","file":{"file_id":"file-1"}}]}`
)

var fileCases = Cases{
	"mcp/files-told": {
		Holds("as a file", reading, Answering("read", note+"\n"+shown)),
		Holds("as one that was uploaded", reading, Answering("read", note+"\n"+uploaded)),
		Holds("in a note", reading, Answering("read", `result read: Found it. [application/pdf, 700 bytes]`)),
		Holds("in an error", reading, Answering("read", `result read: Error: no such content`)),
		SeesNothing("no file", OneCity, OneCityDone),
		Breaks("the text alone", reading, Answering("read", note),
			Found(2, "/messages/2", "the file of the type application/pdf that the call read brought is lost without a word", "the file, or a note about it", note)),
		Breaks("nothing", reading, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":""}`),
			Found(2, "/messages/2", "the file of the type application/pdf that the call read brought is lost without a word", "the file, or a note about it", `{"role":"tool","tool_call_id":"{{read}}","content":""}`)),
	},
	"mcp/files-arrive-whole": {
		Holds("as it is", reading, Answering("read", note+"\n"+shown)),
		Holds("elsewhere", reading, Answering("read", note+"\n"+uploaded)),
		Holds("in words", reading, Answering("read", inWords)),
		SeesNothing("no file", OneCity, OneCityDone),
		Breaks("half of it", reading, Answering("read", note+"\n"+cut),
			Found(2, "/messages/3/content/0/file/file_data", "the file of the type application/pdf that the call read brought is not sent whole", "512 characters of base64", "256 of them, or other ones")),
	},
	"mcp/files-not-as-text": {
		Holds("as a file", reading, Answering("read", note+"\n"+shown)),
		Holds("not at all", reading, Answering("read", note)),
		SeesNothing("no file", OneCity, OneCityDone),
		Breaks("in JSON", reading, Answering("read", inWords),
			Found(2, "/messages/2", "a text holds the bytes of the file of the type application/pdf that the call read brought", "the file, or no bytes of it", inWords)),
	},
}
