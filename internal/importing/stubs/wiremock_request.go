package stubs

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// keyHeaders are those with the keys of clients.
var keyHeaders = []string{"authorization", "x-api-key", "api-key", "x-goog-api-key", "proxy-authorization", "cookie"}

// asked reads which requests a stub answers.
func (s *stub) asked(dialects []Dialect) error {
	request := s.node.Get("request")
	if method := request.Get("method").Text(); method != "POST" && method != "ANY" && method != "" {
		return fmt.Errorf("%s does not ask a model for a turn", method)
	}
	known := []string{"method", "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "queryParameters", "headers", "bodyPatterns"}
	if other := unknown(request, known...); len(other) > 0 {
		return fmt.Errorf("the condition %s has no counterpart in a script", strings.Join(other, ", "))
	}
	s.step.When = &When{}
	if err := s.path(request, dialects); err != nil {
		return err
	}
	for _, parameter := range members(request.Get("queryParameters")) {
		if parameter.Key != "key" && parameter.Key != "alt" {
			return fmt.Errorf("it has a condition on the query parameter %s, and a script has none", parameter.Key)
		}
		s.differs("/request/queryParameters/"+parameter.Key, "a script does not look at it")
	}
	for _, header := range members(request.Get("headers")) {
		if err := s.header(header.Key, header.Value); err != nil {
			return err
		}
	}
	for i, pattern := range request.Get("bodyPatterns").All() {
		if err := s.body(pattern); err != nil {
			return fmt.Errorf("bodyPatterns/%d: %w", i, err)
		}
	}
	return nil
}

// path finds out by the URL which dialect a stub speaks.
func (s *stub) path(request *wire.Node, dialects []Dialect) error {
	var speaks []Dialect
	if pattern := first(request, "urlPattern", "urlPathPattern"); pattern != "" {
		exp, err := regexp.Compile("^(?:" + pattern + ")$")
		if err != nil {
			return fmt.Errorf("its URL matches %s, which is no regular expression here", pattern)
		}
		for _, d := range dialects {
			if exp.MatchString(d.Endpoint.Path()) || exp.MatchString(strings.TrimPrefix(d.Endpoint.Path(), d.Endpoint.BasePath)) {
				speaks = append(speaks, d)
			}
		}
	} else {
		u, err := url.Parse(first(request, "url", "urlPath", "urlPathTemplate"))
		if err != nil {
			return err
		}
		for name := range u.Query() {
			if name != "key" && name != "alt" {
				return fmt.Errorf("its URL has the query parameter %s, and a script has no condition on it", name)
			}
		}
		for _, d := range dialects {
			if d.Endpoint.Has(u.Path) {
				speaks = append(speaks, d)
			}
		}
	}
	switch len(speaks) {
	case 0:
		return errors.New("its URL is none at which a model is asked for a turn")
	case 1:
		s.dialect = speaks[0]
		return nil
	default:
		return errors.New("its URL is that of several wire APIs: say which by its path")
	}
}

func first(n *wire.Node, keys ...string) string {
	for _, key := range keys {
		if text := n.Get(key).Text(); text != "" {
			return text
		}
	}
	return ""
}

func (s *stub) header(name string, condition *wire.Node) error {
	if slices.Contains(keyHeaders, strings.ToLower(name)) {
		s.differs("/request/headers/"+name, "any key is accepted")
		return nil
	}
	text, not, err := textOf(condition)
	if err != nil {
		return fmt.Errorf("the header %s: %w", name, err)
	}
	if not {
		return s.not(&When{Headers: map[string]Text{name: text}})
	}
	return demand(&s.step.When.Headers, name, text)
}

// not adds a condition that must not hold, of which a step has one.
func (s *stub) not(w *When) error {
	if s.step.When.Not != nil {
		return errors.New("it has several conditions that must not hold, and a script has one")
	}
	s.step.When.Not = w
	return nil
}

func demand(all *map[string]Text, name string, text Text) error {
	if *all == nil {
		*all = map[string]Text{}
	}
	sum := (*all)[name]
	if !sum.add(text) {
		return fmt.Errorf("there are two conditions of the same kind on %s, and a script has one", name)
	}
	(*all)[name] = sum
	return nil
}

// textOf reads what a text has to be like, or must not be like.
func textOf(n *wire.Node) (text Text, not bool, err error) {
	fold := ""
	if n.Get("caseInsensitive").True() {
		fold = "(?i)"
	}
	whole := func(pattern string) (*string, error) {
		exp := fold + "^(?:" + pattern + ")$"
		if _, err := regexp.Compile(exp); err != nil {
			return nil, fmt.Errorf("%s is no regular expression here", pattern)
		}
		return &exp, nil
	}
	for _, m := range members(n) {
		switch m.Key {
		case "caseInsensitive":
			continue
		case "equalTo":
			text.Equals = new(m.Value.TextOrJSON())
			if fold != "" {
				text.Equals = nil
				text.Matches, err = whole(regexp.QuoteMeta(m.Value.TextOrJSON()))
			}
		case "contains":
			text.Contains = new(m.Value.TextOrJSON())
		case "doesNotContain":
			text.Contains, not = new(m.Value.TextOrJSON()), true
		case "matches":
			text.Matches, err = whole(m.Value.Text())
		case "doesNotMatch":
			text.Matches, err = whole(m.Value.Text())
			not = true
		case "absent":
			text, not = something(), m.Value.True()
		default:
			return text, not, fmt.Errorf("the condition %s has no counterpart in a script", m.Key)
		}
	}
	if len(members(n)) > 1 && not {
		return text, not, errors.New("a condition that must not hold is alone in a script")
	}
	return text, not, err
}

// something is a text that is there.
func something() Text { return Text{Matches: new("(?s).")} }

// body reads a condition on the body of the request.
func (s *stub) body(pattern *wire.Node) error {
	switch {
	case pattern.Has("equalToJson"):
		return s.equalToJSON(pattern)
	case pattern.Has("matchesJsonPath"):
		return s.jsonPath(pattern.Get("matchesJsonPath"))
	case pattern.Has("and"):
		for _, one := range pattern.Get("and").All() {
			if err := s.body(one); err != nil {
				return err
			}
		}
		return nil
	}
	text, not, err := textOf(pattern)
	if err != nil {
		return err
	}
	if not {
		return s.not(&When{Body: &text})
	}
	if s.step.When.Body == nil {
		s.step.When.Body = &Text{}
	}
	if !s.step.When.Body.add(text) {
		if text.Contains != nil && s.step.When.Body.Matches == nil {
			s.step.When.Body.Matches = new(regexp.QuoteMeta(*text.Contains))
			return nil
		}
		return errors.New("there are two conditions of the same kind on the body, and a script has one")
	}
	return nil
}
