package cassettes_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/importing/cassettes"
)

// Whatever is in a file, its exchanges are read or it is said why not.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"log":{"entries":[{"request":{"method":"POST","url":"http://a/v1/chat/completions","postData":{"text":"{}"}},"response":{"status":200,"content":{"text":"e30=","encoding":"base64"}}},7,{}]}}`))
	f.Add([]byte("interactions:\n- request: {method: POST, uri: 'http://a/v1/messages', body: '{}'}\n  response: {status: {code: 200}, body: {string: !!binary e30=}, headers: {content-encoding: [gzip]}}\nversion: 1\n"))
	f.Add([]byte(`[{"scope":"https://a:443","method":"POST","path":"/v1/messages","body":{},"status":200,"response":["1f8b08"],"rawHeaders":["content-encoding","gzip"]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, skipped, err := cassettes.Read(data)
		if err != nil && len(all)+len(skipped) > 0 {
			t.Errorf("%d exchanges and %d skipped ones alongside an error: %v", len(all), len(skipped), err)
		}
	})
}
