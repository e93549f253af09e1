package engine_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// withLongRequests returns a provider that was sent requests of so many bytes each, which differ.
func withLongRequests(tb testing.TB, count, size int) *engine.Provider {
	tb.Helper()
	p := engine.New(engine.Config{Scenarios: []*scenarios.Scenario{script(tb, "x", "model: [{text: Done.}]\n")}})
	message := `{"role":"user","content":"hi` + strings.Repeat(" there", 50) + `"},`
	list := strings.Repeat(message, size/len(message))
	for i := range count {
		if w := serve(p, fmt.Sprintf(`{"model":"m","messages":[%s{"role":"user","content":"%d"}],"user":"%d"}`, list, i, i)); w.Code != http.StatusOK {
			tb.Fatalf("answered %d %.200s", w.Code, w.Body)
		}
	}
	return p
}

// looked asks the control API, and returns what it answers and how many bytes that allocated.
func looked(tb testing.TB, p *engine.Provider, path string) (got gjson.Result, allocated uint64) {
	tb.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/loopproof"+path, nil))
	runtime.ReadMemStats(&after)
	if w.Code != http.StatusOK && w.Code != http.StatusConflict {
		tb.Errorf("%s is answered by %d %.300s", path, w.Code, w.Body)
	}
	return gjson.ParseBytes(w.Body.Bytes()), after.TotalAlloc - before.TotalAlloc
}

// What is not shown is not read: a list of one request does not cost what all requests of the
// journal would.
func TestAShortListReadsWhatItShows(t *testing.T) {
	const count, size = 20, 300_000
	p := withLongRequests(t, count, size)
	_, one := looked(t, p, fmt.Sprintf("/runs/default/requests/%d", 1)) // reads one
	for _, path := range []string{"/requests?limit=1", "/requests?limit=1&status=2xx&answer=Done", "/requests?limit=1&model=m", "/assert?limit=1&status=200&count=20", "/wait?limit=1&level=must&count=0"} {
		got, allocated := looked(t, p, path)
		if allocated > 3*one {
			t.Errorf("%s allocates %d kB, and to read one request takes %d kB", path, allocated>>10, one>>10)
		}
		if holds := got.Get("holds"); holds.Exists() && !holds.Bool() {
			t.Errorf("%s does not hold: %.300s", path, got.Raw)
		}
		if last := got.Get("requests.#").Int() - 1; last == 0 && (got.Get("requests.0.number").Int() != count || got.Get("requests.0.model").String() != "m" || got.Get("requests.0.new.#").Int() == 0 || got.Get("count").Int() != count) {
			t.Errorf("%s shows %.300s", path, got.Raw)
		}
	}
}

// What looks at all requests leaves nothing in memory where they are long: what is read of a body
// may take twenty times its memory.
func TestALookAtLongRequestsKeepsNothing(t *testing.T) {
	const count, size = 40, 1_000_000
	p := withLongRequests(t, count, size)
	for _, path := range []string{
		"/requests", "/requests?user=hi", "/requests?user=nobody", "/assert?user=hi&count=40", "/assert?user=nobody", "/wait?user=nobody&within=10ms",
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		got, _ := looked(t, p, path)
		runtime.GC()
		runtime.ReadMemStats(&after)
		want := int64(count)
		if strings.Contains(path, "nobody") {
			want = 0
		}
		if n := got.Get("count").Int(); n != want || int64(len(got.Get("requests").Array())) != want {
			t.Errorf("%s lists %d requests, want %d", path, n, want)
		}
		if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > count*size/4 {
			t.Errorf("%s leaves %d MB in memory", path, held>>20)
		}
	}
}

// Nor does an expectation that does not hold read more than it tells.
func TestABrokenExpectationReadsWhatItTells(t *testing.T) {
	p := withLongRequests(t, 40, 100_000)
	_, one := looked(t, p, "/runs/default/requests/1")
	got, allocated := looked(t, p, "/assert?limit=1&status=4xx")
	if got.Get("holds").Bool() || !strings.Contains(got.Get("message").String(), "and 28 requests more") || !strings.Contains(got.Get("message").String(), "user       hi") {
		t.Errorf("the message is %.600s", got.Get("message"))
	}
	if allocated > 20*one {
		t.Errorf("it allocates %d kB, and to read one request takes %d kB", allocated>>10, one>>10)
	}
}

// BenchmarkListOfOne measures the list of the latest of a hundred long requests, when nobody has
// looked at them before.
//
//	go test ./internal/engine -run '^$' -bench ListOfOne -benchmem -benchtime 1x
func BenchmarkListOfOne(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		p := withLongRequests(b, 100, 1_000_000)
		b.StartTimer()
		looked(b, p, "/requests?limit=1")
	}
}
