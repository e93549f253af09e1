package engine

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// parse reads the body of a request for a turn of the model. A key that occurs twice is refused,
// since providers differ in which of its values they take, or refuse it too.
func parse(d *wire.Dialect, body []byte, before *wire.Request) (*wire.Request, error) {
	req, err := d.ReadAfter(body, before)
	if err == nil {
		err = req.DoubledKey()
	}
	if err != nil {
		return nil, fmt.Errorf("we could not parse the JSON body of your request: %w", err)
	}
	return req, nil
}

// spokenBy returns an error when a profile is of another dialect.
func spokenBy(d *wire.Dialect, p *profiles.Profile) error {
	if p.Speaks == d {
		return nil
	}
	return fmt.Errorf("the profile %s that is played here speaks the dialect %s, and this is a path of the dialect %s; choose a profile of that one, such as --profile %s", p.Name, p.Dialect, d.Name, d.Standard)
}
