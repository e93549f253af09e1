package wire_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/wire"
)

func TestChange(t *testing.T) {
	const text = `{"b":1,"a":[{"c":"é \"\u00e9\""},null],"n":1.50}`
	for _, c := range []struct {
		name   string
		change func(*wire.Node)
		want   string
	}{
		{"nothing", func(*wire.Node) {}, text},
		{"a value", func(n *wire.Node) { n.Set("b", "x") }, `{"b":"x","a":[{"c":"é \"\u00e9\""},null],"n":1.50}`},
		{"a new key", func(n *wire.Node) { n.Path("a", 0).Set("d", wire.Fields{{Key: "e", Value: nil}}) }, `{"b":1,"a":[{"c":"é \"\u00e9\"","d":{"e":null}},null],"n":1.50}`},
		{"a node", func(n *wire.Node) { n.Set("b", n.Path("a", 1).Clone()) }, `{"b":null,"a":[{"c":"é \"\u00e9\""},null],"n":1.50}`},
		{"keys taken out", func(n *wire.Node) { n.Remove("a", "n", "x") }, `{"b":1}`},
		{"items", func(n *wire.Node) { n.Path("a").SetItems(n.Path("a", 1), n.Path("b")) }, `{"b":1,"a":[null,1],"n":1.50}`},
		{"what is not there", func(n *wire.Node) {
			n.Path("x", 3, "y").Set("z", 1)
			n.Path("x").Remove("z")
			n.Path("x").SetItems()
			n.Path("b").Set("z", 1)
		}, text},
	} {
		t.Run(c.name, func(t *testing.T) {
			node := wire.Parsed([]byte(text))
			c.change(node)
			if got := string(node.JSON()); got != c.want {
				t.Errorf("written as\n\t%s\nwant\n\t%s", got, c.want)
			}
		})
	}
}

func TestPlacesAfterAChange(t *testing.T) {
	node := wire.Parsed([]byte(`{"a":1,"b":[2],"c":{"d":3}}`))
	node.Remove("a")
	node.Set("e", 4)
	node.Set("b", node.Get("b").Clone())
	node.Get("c").Set("f", 5)
	for _, pointer := range []string{"/b", "/b/0", "/c", "/c/d", "/c/f", "/e"} {
		if got := node.At(pointer).Pointer(); got != pointer {
			t.Errorf("the value at %s is told to be at %q", pointer, got)
		}
	}
	if got := wire.ListOf(node.At("/c/d")).Pointer(); got != "/c/d" {
		t.Errorf("a list made of the value at /c/d is told to be at %q", got)
	}
}

func TestPaths(t *testing.T) {
	node := wire.Parsed([]byte(`{"text":"é \"","n":-3,"list":[1,2],"null":null}`))
	if got := node.Path("text").Text(); got != `é "` {
		t.Errorf("the text is %q", got)
	}
	if n, ok := node.Path("n").Int(); n != -3 || !ok {
		t.Errorf("the number is %d, %v", n, ok)
	}
	if len(node.Path("list").All()) != 2 || node.Path("list", 2) != nil || !node.Has("null") || node.Has("none") {
		t.Error("the node does not know what it holds")
	}
	if !node.Path("null").Is(wire.Null) || !node.Path("none").Is(wire.Absent) || node.Path("none").Text() != "" || string(node.Path("none").JSON()) != "null" {
		t.Error("the node does not know what it does not hold")
	}
	if wire.Parsed([]byte("[DONE]")) != nil {
		t.Error("the end mark of a stream is treated as JSON")
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
