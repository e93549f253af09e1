package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// Annotation is a source of a text, which the answer names beside it.
type Annotation struct {
	URL   string `yaml:"url"`
	Title string `yaml:"title"`
	Of    string `yaml:"of"` // a part of the text; without it, all of it
}

// TokenChoice are a token of a text and those that could have been in its place, with the logarithms
// of their probabilities. A file writes the token first: {Yes: -0.1, No: -2.4}.
type TokenChoice []wire.Token

// ReadYAML reads tokens with their logarithms.
func (c *TokenChoice) ReadYAML(n *strictyaml.Node) error {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		return fmt.Errorf("expected a token with the logarithm of its probability, and then others: {Yes: -0.1, No: -2.4}")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		token, value := n.Content[i], n.Content[i+1]
		f, err := strconv.ParseFloat(value.Value, 64)
		if value.Kind != yaml.ScalarNode || err != nil || !(f <= 0) {
			return strictyaml.At(value, "expected the logarithm of a probability, which is 0 or less")
		}
		if token.Value == "" {
			return strictyaml.At(token, "a token has a text")
		}
		*c = append(*c, wire.Token{Text: token.Value, Logprob: f})
	}
	return nil
}

// usualLogprob is that of a token of which nothing is said: 95 %.
const usualLogprob = -0.05

// surround adds to an answer what the step or the request wants beside the text.
func (s *Step) surround(a *wire.Answer, d wire.Demands) error {
	for _, annotation := range s.Annotations {
		start := strings.Index(a.Text, annotation.Of)
		if start < 0 {
			return fmt.Errorf("its annotation is of %s, which is not in the text %s", quoted(annotation.Of), quoted(a.Text))
		}
		end := start + len(annotation.Of)
		if annotation.Of == "" {
			end = len(a.Text)
		}
		a.Citations = append(a.Citations, wire.Citation{URL: annotation.URL, Title: annotation.Title, Start: start, End: end})
	}
	if d.Logprobs {
		a.Tokens = s.tokens(a.Text, d.TopLogprobs)
	}
	said := ""
	for _, choice := range s.Logprobs {
		said += choice[0].Text
	}
	if len(s.Logprobs) > 0 && said != a.Text {
		return fmt.Errorf("its logprobs are of the text %s, and its text is %s", quoted(said), quoted(a.Text))
	}
	return nil
}

// tokens returns the tokens of a text with so many of the likeliest at each place: those of the
// step, or its words.
func (s *Step) tokens(text string, top int) (all []wire.Token) {
	choices := s.Logprobs
	if len(choices) == 0 {
		for _, word := range wordTokens(text) {
			choices = append(choices, TokenChoice{{Text: word, Logprob: usualLogprob}})
		}
	}
	for _, choice := range choices {
		token := choice[0]
		token.Top = choice[:min(top, len(choice))]
		all = append(all, token)
	}
	return all
}

// wordTokens cuts a text into words, each with the space before it.
func wordTokens(text string) (all []string) {
	for text != "" {
		end := strings.IndexByte(text[1:], ' ')
		if end < 0 {
			return append(all, text)
		}
		all, text = append(all, text[:end+1]), text[end+1:]
	}
	return all
}

// surrounds checks what is beside the text of a step.
func (c *checker) surrounds(here string, step *Step) {
	text := step.Text != nil && step.recorded == nil
	c.expect(len(step.Logprobs) == 0 || text, here+"/logprobs", "logprobs are those of a text")
	c.expect(len(step.Annotations) == 0 || text, here+"/annotations", "annotations are of a text")
	for i, a := range step.Annotations {
		place := here + at("annotations", i)
		c.expect(a.URL != "", place, "an annotation has the `url` of its source")
		c.expect(!text || templated(*step.Text) || strings.Contains(*step.Text, a.Of), place+"/of", "the text does not have %s", quoted(a.Of))
	}
	said := ""
	for _, choice := range step.Logprobs {
		if len(choice) > 0 {
			said += choice[0].Text
		}
	}
	c.expect(len(step.Logprobs) == 0 || !text || templated(*step.Text) || said == *step.Text, here+"/logprobs", "the first tokens make up the text: they say %s", quoted(said))
}
