package profiles

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/loopproof/loopproof/internal/wire"
)

// Errors is how a provider words its errors.
type Errors struct {
	// Envelope is the body of an error response. Its places are message, type, param, code, status
	// and details.
	Envelope wire.Template `yaml:"envelope"`

	// Envelopes are the bodies of errors of some statuses, where they have a form of their own.
	Envelopes map[int]wire.Template `yaml:"envelopes"`

	// Headers go with every error response.
	Headers map[string]string `yaml:"headers"`

	// InBand is the payload of an error that comes after the status 200, in a stream or as a whole
	// body.
	InBand wire.Template `yaml:"in-band"`

	// NotJSON is what the provider answers to a body that is not JSON.
	NotJSON NotJSON `yaml:"not-json"`

	// TooLong is what the provider answers to a request that is longer than the model takes.
	TooLong TooLong `yaml:"too-long"`

	// Words are the provider's words for each status that a scenario may ask for.
	Words map[int]Words `yaml:"words"`

	// Form are the provider's words for what breaks the form of requests, by the keyword of the
	// dialect's request.yaml that is broken and perhaps by what else is known of it: the first that
	// fits. They are those of refusals that have no words of their own.
	Form []Otherwise `yaml:"form"`
}

// NotJSON is the error about a body that is not JSON. Its words may name the {problem}, as the
// provider does, the {line}, the {column} and the {offset} in characters, from 0.
type NotJSON struct {
	Status int `yaml:"status"`
	Words  `yaml:",inline"`

	// Problems are the provider's words for what is wrong, by its kind: trailing-comma,
	// single-quotes, comment and so on. Other is the word for all that are not listed.
	Problems map[string]string `yaml:"problems"`

	// Takes are kinds of what is not JSON that the provider reads all the same.
	Takes []string `yaml:"takes"`

	// OurWords says that the provider refuses it, but that its words for it were not found out:
	// these are ours.
	OurWords bool `yaml:"our-words"`

	Proof `yaml:",inline"`
}

// TooLong is the error about a request that is longer than the model takes. Its words may name the
// {tokens} of the request and the {limit}.
type TooLong struct {
	Status int `yaml:"status"` // 0: 400
	Words  `yaml:",inline"`
	Proof  `yaml:",inline"`
}

// tooLong is what a provider says of a request that is too long, where its own words were not found
// out: those of OpenAI, which others took over.
const tooLong = "This model's maximum context length is {limit} tokens. However, your messages resulted in {tokens} tokens. Please reduce the length of the messages."

// TooLong returns how the provider refuses a request of so many tokens, where the model takes
// limit.
func (p *Profile) TooLong(tokens, limit int) (status int, w Words) {
	said := p.Errors.TooLong
	status, w = cmp.Or(said.Status, http.StatusBadRequest), said.Words
	if w.Message == "" {
		w = p.WordsFor(status)
		w.Message, w.Param, w.Details = tooLong, nil, nil
	}
	return status, w.Fill(map[string]string{"tokens": strconv.Itoa(tokens), "limit": strconv.Itoa(limit)})
}

// Error returns the body of an error response.
func (p *Profile) Error(status int, w Words) []byte {
	w = p.coded(status, w)
	if envelope, ok := p.Errors.Envelopes[status]; ok {
		return envelope.JSON(w.values(status))
	}
	return p.Errors.Envelope.JSON(w.values(status))
}

// InBandError returns the payload of an error that comes after the status 200.
func (p *Profile) InBandError(status int, w Words) []byte {
	return p.Errors.InBand.JSON(p.coded(status, w).values(status))
}

// coded returns words with the code that the dialect has for a status, where they have none
// themselves.
func (p *Profile) coded(status int, w Words) Words {
	if w.Code == nil && p.Speaks.Errors.Code != nil {
		code := p.Speaks.Errors.Code(status)
		w.Code = &code
	}
	return w
}

// WordsFor returns the provider's words for a status, or plain ones when the profile has none.
func (p *Profile) WordsFor(status int) Words {
	if w, ok := p.Errors.Words[status]; ok {
		return w
	}
	kind := "server_error"
	if status < 500 {
		kind = "invalid_request_error"
	}
	return Words{Message: "The request failed.", Type: &kind}
}
