package strictyaml

import "go.yaml.in/yaml/v4"

// Node is a value of a file, with its place.
type Node struct {
	Kind  yaml.Kind // ScalarNode, SequenceNode or MappingNode
	Tag   string    // "!!str", "!!int", "!!map", ...
	Value string    // of a scalar

	Line, Column int // from 1

	// Content are the items of a sequence, or the keys and values of a mapping in turn.
	Content []*Node

	flow bool // it is written in brackets
}

// Flow reports whether a list or mapping is written in brackets.
func (n *Node) Flow() bool { return n.flow }

// nodeFrom keeps of a YAML tree what is needed: its nodes are three times as large.
func nodeFrom(n *yaml.Node) *Node {
	size, links := sizeOf(n)
	s := &store{nodes: make([]Node, 0, size), links: make([]*Node, links)}
	return s.copy(n)
}

// store holds the nodes of a tree, which are kept or dropped together.
type store struct {
	nodes []Node
	links []*Node // that are not used yet
}

// add makes a node.
func (s *store) add(n Node) *Node {
	s.nodes = append(s.nodes, n)
	return &s.nodes[len(s.nodes)-1]
}

// take returns room for so many links.
func (s *store) take(n int) []*Node {
	if n == 0 {
		return nil
	}
	taken := s.links[:n:n]
	s.links = s.links[n:]
	return taken
}

func (s *store) copy(n *yaml.Node) *Node {
	c := s.add(Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Line: n.Line, Column: n.Column, flow: n.Style&yaml.FlowStyle != 0, Content: s.take(len(n.Content))})
	for i, child := range n.Content {
		c.Content[i] = s.copy(child)
	}
	return c
}

// sizeOf returns how many nodes a tree has, and how many of them are within another one.
func sizeOf(n *yaml.Node) (nodes, links int) {
	nodes, links = 1, len(n.Content)
	for _, c := range n.Content {
		more, inside := sizeOf(c)
		nodes, links = nodes+more, links+inside
	}
	return nodes, links
}
