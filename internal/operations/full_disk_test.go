//go:build linux

package operations_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/operations"
)

// A full disk is reported once, and the server keeps answering.
func TestAFullDiskStopsNothing(t *testing.T) {
	var told []string
	spill, err := operations.NewSpill("/dev/full", func(text string) { told = append(told, text) })
	if err != nil {
		t.Fatal(err)
	}
	srv := engine.NewServer(engine.Config{OnExchangeDone: spill.ExchangeDone})
	for range 3 {
		resp, err := http.Post(srv.URL+"/v1/chat/completions", "application/json", strings.NewReader(hello))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusNotFound { // no script is played
			t.Errorf("with a full disk the server answers %d", resp.StatusCode)
		}
	}
	srv.Close()
	if len(told) != 1 || !strings.Contains(told[0], "no space left on device") {
		t.Errorf("the full disk was told as %q", told)
	}
}
