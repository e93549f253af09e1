// Package cassettes reads recorded HTTP exchanges: HAR files, cassettes of VCR for Python, Ruby and
// Go, recordings of nock.
//
//	exchanges, skipped, err := cassettes.Read(data)
//	for _, x := range exchanges {
//		fmt.Println(x.Method, x.URL, len(x.Request), x.Status, len(x.Response))
//	}
package cassettes

import (
	"net/http"
	"net/url"
)

// Exchange is a recorded request with its response.
type Exchange struct {
	Place    string // in its file: /interactions/2
	Method   string
	URL      *url.URL
	Request  []byte
	Status   int
	Header   http.Header // of the response
	Response []byte      // not compressed
}

// Skipped is an entry of a recording that cannot be carried over.
type Skipped struct {
	Place string
	Why   string
}
