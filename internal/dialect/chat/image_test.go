package chat_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestReadImage(t *testing.T) {
	for part, want := range map[string]wire.Image{
		`{"type":"image_url","image_url":{"url":"data:image/png;base64,aGVsbG8="}}`: {MediaType: "image/png", Data: []byte("hello")},
		`{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}`:      {URL: "https://example.com/a.png"},
		`{"type":"image_url","image_url":{"url":"aGVsbG8="}}`:                       {Problem: "a value without the 'data:' prefix"},
		`{"type":"image_url","image_url":{}}`:                                       {Problem: "a value without the 'data:' prefix"},
		`{"type":"image_url","image_url":"https://example.com/a.png"}`:              {URL: "https://example.com/a.png", Bare: true},
		`{"type":"image_url"}`: {Problem: "no object with a url"},
		`{"type":"image_url","image_url":{"url":"data:image/png;base64,"}}`:      {MediaType: "image/png", Problem: "empty base64-encoded bytes"},
		`{"type":"image_url","image_url":{"url":"data:image/png;base64,hello"}}`: {MediaType: "image/png", Problem: "an invalid base64-encoded value"},
		`{"type":"image_url","image_url":{"url":"data:image/png,hello"}}`:        {Problem: "an invalid base64-encoded value"},
	} {
		got, ok := chat.ReadImage(partOf(t, part))
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s is read as %v (-want +got):\n%s", part, ok, diff)
		}
	}
	if _, ok := chat.ReadImage(partOf(t, `{"type":"text","text":"image_url"}`)); ok {
		t.Error("a text is read as an image")
	}
}

func partOf(t *testing.T, part string) wire.Part {
	t.Helper()
	n, err := wire.ParseNode([]byte("[" + part + "]"))
	if err != nil {
		t.Fatal(err)
	}
	return wire.ReadContent(n).Parts[0]
}
