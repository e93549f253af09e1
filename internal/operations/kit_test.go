package operations_test

import (
	"bytes"
	"net/http"
	"net/url"
	"testing"
)

// page is a response that is kept.
type page struct {
	header http.Header
	body   bytes.Buffer
}

func (p *page) Header() http.Header         { return p.header }
func (p *page) WriteHeader(int)             {}
func (p *page) Write(b []byte) (int, error) { return p.body.Write(b) }

func parse(t *testing.T, path string) *url.URL {
	t.Helper()
	u, err := url.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
