package wire

import "unicode/utf8"

// Token is a token of a text, with the logarithm of its probability.
type Token struct {
	Text    string
	Logprob float64

	// Top are the likeliest tokens at the place, which need not have this one.
	Top []Token
}

// Tokens goes along the tokens of a text as its pieces are written.
type Tokens struct {
	left      []Token
	said, end int // bytes of the text, and of the tokens, so far
}

// NewTokens returns the tokens of an answer from the beginning of its text.
func NewTokens(a *Answer) *Tokens { return &Tokens{left: a.Tokens} }

// Next returns the tokens that end within the next piece of the text.
func (t *Tokens) Next(piece string) []Token {
	t.said += len(piece)
	n := 0
	for n < len(t.left) && t.end+len(t.left[n].Text) <= t.said {
		t.end += len(t.left[n].Text)
		n++
	}
	next := t.left[:n]
	t.left = t.left[n:]
	return next
}

// Citation is a source of a part of a text, from byte Start up to byte End.
type Citation struct {
	URL, Title string
	Start, End int
}

// Cited returns the citations of what there is of the text.
func (a *Answer) Cited() (all []Citation) {
	for _, c := range a.Citations {
		if c.End <= len(a.Text) {
			all = append(all, c)
		}
	}
	return all
}

// Runes returns the place of a citation in characters.
func (c Citation) Runes(text string) (start, end int) {
	return utf8.RuneCountInString(text[:c.Start]), utf8.RuneCountInString(text[:c.End])
}
