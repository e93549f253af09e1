package messages_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestReadImage(t *testing.T) {
	for block, want := range map[string]wire.Image{
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGVsbG8="}}`: {MediaType: "image/png", Data: []byte("hello")},
		`{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}`:             {URL: "https://example.com/a.png"},
		`{"type":"image","source":{"type":"file","file_id":"file_1"}}`:                           {URL: "file"},
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"hello"}}`:    {MediaType: "image/png", Problem: "an invalid base64-encoded value"},
		`{"type":"image","source":{"type":"base64","data":"data:image/png;base64,aGVsbG8="}}`:    {Problem: "a value with a 'data:' prefix"},
		`{"type":"image","source":{"type":"base64","media_type":"image/png"}}`:                   {MediaType: "image/png", Problem: "empty base64-encoded bytes"},
		`{"type":"image","source":{}}`: {Problem: "no source with a type"},
		`{"type":"image"}`:             {Problem: "no source with a type"},
	} {
		n, err := wire.ParseNode([]byte("[" + block + "]"))
		if err != nil {
			t.Fatal(err)
		}
		got, ok := messages.ReadImage(wire.ReadContent(n).Parts[0])
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s is read as %v (-want +got):\n%s", block, ok, diff)
		}
	}
}
