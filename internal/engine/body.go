package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

var errTooLarge = errors.New("the request is too large")

// drained is how much of a request that is too large is taken from the client and dropped, so that
// it has sent all and reads the answer. One that sends still more finds its connection closed.
const drained = 256 << 20

// believed is the longest Content-Length for which memory is allocated before the body is read.
const believed = 1 << 20

// readBody reads the body of a request.
func (p *Provider) readBody(r *http.Request) ([]byte, error) {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, fmt.Errorf("the body of the request is compressed (Content-Encoding: %s), which is not read here: send it as it is", encoding)
	}
	body, err := p.readAll(r)
	if err != nil {
		return nil, fmt.Errorf("the request could not be read: %w", err)
	}
	if int64(len(body)) > p.config.Limits.Body {
		io.Copy(io.Discard, io.LimitReader(r.Body, drained))
		return nil, fmt.Errorf("%w: at most %d bytes are read", errTooLarge, p.config.Limits.Body)
	}
	return body, nil
}

// readAll reads the body of a request, and a byte more than is allowed.
func (p *Provider) readAll(r *http.Request) ([]byte, error) {
	if length := r.ContentLength; length > 0 && length <= min(p.config.Limits.Body, believed) {
		body := make([]byte, length)
		_, err := io.ReadFull(r.Body, body) // net/http lets nobody read more than the length
		return body, err
	}
	var buffer bytes.Buffer
	buffer.Grow(int(min(max(r.ContentLength, 0), p.config.Limits.Body, believed)) + bytes.MinRead)
	_, err := buffer.ReadFrom(io.LimitReader(r.Body, p.config.Limits.Body+1))
	return buffer.Bytes(), err
}

func statusOf(err error) int {
	if errors.Is(err, errTooLarge) || errors.Is(err, wire.ErrTooManyValues) {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// sentence writes an error as the message of a provider.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
