package secret_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/loopproof/loopproof/internal/secret"
)

// BenchmarkOf is what each request costs.
func BenchmarkOf(b *testing.B) {
	h := http.Header{"Authorization": {"Bearer sk-0123456789abcdef"}, "Accept": {"*/*"}, "Content-Type": {"application/json"}, "User-Agent": {"x"}, "X-Stainless-Lang": {"js"}, "Content-Length": {"7"}}
	u := &url.URL{Path: "/v1/chat/completions"}
	for b.Loop() {
		secret.Of(h, u)
	}
}
