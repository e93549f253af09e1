package wire_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/wire"
)

func TestTree(t *testing.T) {
	const text = `{"b":1,"a":[{"c":"é \"\u00e9\""},null],"n":1.50}`
	for _, c := range []struct {
		name   string
		change func(*wire.Tree)
		want   string
	}{
		{"nothing", func(*wire.Tree) {}, text},
		{"a value", func(t *wire.Tree) { t.Set("b", "x") }, `{"b":"x","a":[{"c":"é \"\u00e9\""},null],"n":1.50}`},
		{"a new key", func(t *wire.Tree) { t.At("a", 0).Set("d", wire.Fields{{Key: "e", Value: nil}}) }, `{"b":1,"a":[{"c":"é \"\u00e9\"","d":{"e":null}},null],"n":1.50}`},
		{"a tree", func(t *wire.Tree) { t.Set("b", t.At("a", 1).Clone()) }, `{"b":null,"a":[{"c":"é \"\u00e9\""},null],"n":1.50}`},
		{"keys taken out", func(t *wire.Tree) { t.Remove("a", "n", "x") }, `{"b":1}`},
		{"items", func(t *wire.Tree) { t.At("a").SetItems(t.At("a", 1), t.At("b")) }, `{"b":1,"a":[null,1],"n":1.50}`},
		{"what is not there", func(t *wire.Tree) {
			t.At("x", 3, "y").Set("z", 1)
			t.At("x").Remove("z")
			t.At("x").SetItems()
			t.At("b").Set("z", 1)
		}, text},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := wire.ParseTree([]byte(text))
			c.change(tree)
			if got := string(tree.JSON()); got != c.want {
				t.Errorf("written as\n\t%s\nwant\n\t%s", got, c.want)
			}
		})
	}
}

func TestTreeValues(t *testing.T) {
	tree := wire.ParseTree([]byte(`{"text":"é \"","n":-3,"list":[1,2],"null":null}`))
	if got := tree.At("text").Text(); got != `é "` {
		t.Errorf("the text is %q", got)
	}
	if n, ok := tree.At("n").Int(); n != -3 || !ok {
		t.Errorf("the number is %d, %v", n, ok)
	}
	if len(tree.At("list").Items()) != 2 || tree.At("list", 2) != nil || !tree.Has("null") || tree.Has("none") {
		t.Error("the tree does not know what it holds")
	}
	if !tree.At("null").Is(wire.Null) || !tree.At("none").Is(wire.Absent) || tree.At("none").Text() != "" || string(tree.At("none").JSON()) != "null" {
		t.Error("the tree does not know what it does not hold")
	}
	if wire.ParseTree([]byte("[DONE]")) != nil {
		t.Error("the end mark of a stream is taken for JSON")
	}
}

func TestFramedWrites(t *testing.T) {
	events := []wire.Event{{Data: []byte(`{"a":[1,2],"b":"x"}`)}, {Lines: []string{"event: keepalive"}}, {Data: []byte("[DONE]")}}
	for _, c := range []struct {
		name    string
		framing wire.Framing
		want    string
	}{
		{"as most do", wire.Framing{}, "data: {\"a\":[1,2],\"b\":\"x\"}\n\nevent: keepalive\n\ndata: [DONE]\n\n"},
		{"line ends", wire.Framing{LineEnd: "\r"}, "data: {\"a\":[1,2],\"b\":\"x\"}\r\revent: keepalive\r\rdata: [DONE]\r\r"},
		{"a byte order mark", wire.Framing{BOM: true}, "\ufeffdata: {\"a\":[1,2],\"b\":\"x\"}\n\nevent: keepalive\n\ndata: [DONE]\n\n"},
		{"no space", wire.Framing{NoSpace: true}, "data:{\"a\":[1,2],\"b\":\"x\"}\n\nevent:keepalive\n\ndata:[DONE]\n\n"},
		{"fields", wire.Framing{Fields: []string{"id: 7"}}, "id: 7\ndata: {\"a\":[1,2],\"b\":\"x\"}\n\nid: 7\nevent: keepalive\n\nid: 7\ndata: [DONE]\n\n"},
		{"several lines", wire.Framing{DataLines: true}, "data: {\ndata: \"a\":[1,2],\ndata: \"b\":\"x\"\ndata: }\n\nevent: keepalive\n\ndata: [DONE]\n\n"},
		{"torn", wire.Framing{Torn: true}, "data: {\"a\":[1,2],\"b\":\"x\"}\n\nevent: keepalive\n\ndata: ["},
		{"unfinished", wire.Framing{Unfinished: true, LineEnd: "\r\n"}, "data: {\"a\":[1,2],\"b\":\"x\"}\r\n\r\nevent: keepalive\r\n\r\ndata: [DONE]\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			for _, w := range wire.DeliverSSE.FramedWrites(events, c.framing) {
				got += string(w)
			}
			if got != c.want {
				t.Errorf("written as\n\t%q\nwant\n\t%q", got, c.want)
			}
		})
	}
}
