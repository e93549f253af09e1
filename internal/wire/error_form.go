package wire

import "time"

// ErrorForm is what a dialect says in errors, beyond the words of a profile.
type ErrorForm struct {
	// Code returns the code of an error for which nothing else names one. Nil: it has none then.
	Code func(status int) string

	// Body returns the body of an error that is not the provider's but ours.
	Body func(Fields) Fields

	// InStreamsAlone says that an error after the status 200 is documented for streams alone.
	InStreamsAlone bool

	// TypeHeader is the header of an error that has its type; "": none has.
	TypeHeader string

	// RateLimitHeaders returns the headers that tell of a rate limit. Nil: no header does.
	RateLimitHeaders func([]RateLimit, time.Time) map[string]string

	// RetryDetails returns the details of an error that say how long to wait before the request is
	// sent again. Nil: headers say it.
	RetryDetails func(wait time.Duration) []Fields

	// Types are the types of JSON Schema as errors name them, such as "a valid string". Nil: as
	// OpenAI does.
	Types map[string]string

	// Reading is how a provider reports what it finds wrong while it reads a request. Nil: it names
	// the first problem alone, as it does with all others.
	Reading *ReadingForm

	// WaitMessage says in the message of an error how long to wait, as the header or the details
	// do, where the message says a wait. Nil: no message says one.
	WaitMessage func(message string, wait time.Duration) string

	// LimitMessage names a limit that was reached in the message of an error about another one.
	// Nil: messages name no limit.
	LimitMessage func(message string, l ReachedLimit) string
}

// MessageAlone is the [ErrorForm.Body] of an API whose errors say no more than a message, under a key.
func MessageAlone(key string) func(Fields) Fields {
	return func(said Fields) Fields {
		for _, f := range said {
			if f.Key == "message" {
				return Fields{{Key: key, Value: f.Value}}
			}
		}
		return said
	}
}

// RateLimit is how far a client is from a limit.
type RateLimit struct {
	Of          string // "requests" or "tokens"
	Limit, Left int
	Reset       time.Time
}

// ReachedLimit is a rate limit that a request has reached.
type ReachedLimit struct {
	Of                     string        // "requests" or "tokens"
	Per, Wait              time.Duration // Per is 0 for a limit of what is answered at the same time
	Limit, Used, Requested int
}

// ReadingForm is one error about all that is wrong with the form of a request.
type ReadingForm struct {
	// Finds reports whether a problem with these words is found while the request is read.
	Finds func(message string) bool

	// Words returns the message and the details of the error about problems, which are in the order
	// of the request.
	Words func([]Problem) (message string, details []Fields)
}

// Problem is what a provider says is wrong with a request, and where; "" is the request itself.
type Problem struct {
	Message, Place string
}
