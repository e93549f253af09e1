package engine_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
)

// TestConversationsOfManyClients: no item is lost that is added while others add theirs.
func TestConversationsOfManyClients(t *testing.T) {
	const clients, each = 8, 5
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: lookAndTell(t)})
	url := srv.URL + "/v1/conversations"
	id := gjson.Get(do(t, http.MethodPost, url, `{}`).body, "id").String()
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for i := range each {
				if got := do(t, http.MethodPost, url+"/"+id+"/items", fmt.Sprintf(`{"items":[{"role":"user","content":"%d.%d"}]}`, c, i)); got.status != http.StatusOK {
					t.Errorf("answered %d %s", got.status, got.body)
				}
			}
		})
	}
	all.Wait()
	items := do(t, http.MethodGet, url+"/"+id+"/items?limit=100", "")
	texts := map[string]bool{}
	for _, item := range gjson.Get(items.body, "data").Array() {
		texts[item.Get("content.0.text").String()+item.Get("id").String()] = true
	}
	if len(texts) != clients*each {
		t.Errorf("%d items are in the conversation, want %d", len(texts), clients*each)
	}
}
