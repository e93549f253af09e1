package mockprovider

import (
	"fmt"
	"net/http"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/profiles"
)

// dialect is a wire API that the provider speaks.
type dialect struct {
	name string
	read func(body []byte) (*wire.Request, error)
}

var (
	chatDialect     = dialect{chat.Dialect, chat.Read}
	messagesDialect = dialect{messages.Dialect, messages.Read}
)

// parse reads the body of a request for a turn of the model. A key that stands twice is refused, since providers differ
// in which of its values they take, or refuse it too.
func (d dialect) parse(body []byte) (*wire.Request, error) {
	req, err := d.read(body)
	if err == nil {
		err = doubledKey(req.Body)
	}
	if err != nil {
		return nil, fmt.Errorf("we could not parse the JSON body of your request: %w", err)
	}
	return req, nil
}

// find finds the conversation of a request in this dialect.
func (d dialect) find(who finder, r *http.Request) (conversation, error) {
	conv, err := who(r)
	if err != nil {
		return nil, err
	}
	if open, ok := conv.(*conversations); ok {
		conv = open.in(d)
	}
	return conv, d.spokenBy(conv.profile())
}

// spokenBy returns an error when a profile is of another dialect.
func (d dialect) spokenBy(p *profiles.Profile) error {
	if p.Dialect == d.name {
		return nil
	}
	return fmt.Errorf("the profile %s that is played here speaks the dialect %s, and this is a path of the dialect %s; choose a profile of that one with --profile", p.Name, p.Dialect, d.name)
}
