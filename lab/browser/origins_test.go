package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/loopproof/loopproof/mockprovider"
)

// Both names belong to an attacker. The browser is told that they are this machine, as a DNS server
// of theirs could.
const (
	otherSite = "other-site.example.net"
	rebound   = "rebound.example.net"
)

// elsewhere returns the tab of a browser in which these names point to this machine.
func elsewhere(t *testing.T) *browser {
	t.Helper()
	rules := fmt.Sprintf("MAP %s 127.0.0.1, MAP %s 127.0.0.1", otherSite, rebound)
	return open(t, looks[0], chromedp.Flag("host-resolver-rules", rules))
}

// tell is what a fetch comes to: a status, with what may be read of the body, or "blocked".
const tell = `(async (url, options) => {
  try { const r = await fetch(url, options); return r.type === "opaque" ? "sent blindly" : r.status + " " + await r.text(); }
  catch { return "blocked"; }
})`

func (b *browser) fetch(url, options string) string {
	b.t.Helper()
	var got string
	b.run(chromedp.Evaluate(fmt.Sprintf(`%s(%q, %s)`, tell, url, options), &got, awaited))
	return got
}

// A page of another site can send requests to this machine blindly. It resets nothing, begins no
// run, and reads no journal.
func TestPageOfAnotherSite(t *testing.T) {
	srv := start(t, many)
	if _, err := srv.StartRun(mockRun("victim")); err != nil {
		t.Fatal(err)
	}
	question(t, srv.URL+"/run/victim", says("user", "a secret"))
	question(t, srv.URL, says("user", "a secret"))
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Another site</title>")
	}))
	defer site.Close()
	b := elsewhere(t)
	b.goTo(strings.Replace(site.URL, "127.0.0.1", otherSite, 1))

	const blindly = `{ method: "POST", mode: "no-cors", body: "{}" }`
	for _, path := range []string{"/reset", "/runs/default/reset", "/runs/victim/reset", "/runs", "/runs/default/reset?x=1"} {
		if got := b.fetch(srv.URL+"/loopproof"+path, blindly); got != "sent blindly" {
			t.Errorf("the browser did not even send POST %s: %s", path, got)
		}
	}
	for _, path := range []string{"/requests", "/runs", "/", "/runs/default/requests/1/body", "/events"} {
		if got := b.fetch(srv.URL+"/loopproof"+path, `{}`); got != "blocked" {
			t.Errorf("GET %s comes to %q, want that the browser lets nobody read it", path, got)
		}
	}
	if got := b.fetch(srv.URL+"/loopproof/runs/victim", `{ method: "DELETE" }`); got != "blocked" {
		t.Errorf("DELETE comes to %q", got)
	}
	b.run(chromedp.Evaluate(fmt.Sprintf(`(() => { // a form sends what fetch may not, and needs no permission
	  const form = document.createElement("form"), frame = document.createElement("iframe");
	  frame.name = "frame"; form.target = "frame"; form.method = "post"; form.action = %q;
	  document.body.append(frame, form); window.sent = new Promise((done) => { frame.onload = done; }); form.submit();
	})()`, srv.URL+"/loopproof/runs/default/reset"), nil), chromedp.Evaluate(`window.sent.then(() => true)`, new(bool), awaited))

	// Nor may it ask the model. Of all these requests none had an effect. Unrouted requests, such as
	// the question of the browser whether it may delete, do not count.
	ask := func(at *mockprovider.Server) {
		t.Helper()
		if got := b.fetch(at.URL+"/v1/chat/completions", `{ method: "POST", mode: "no-cors", body: '{"model":"m","messages":[{"role":"user","content":"Hi"}]}' }`); got != "sent blindly" {
			t.Errorf("the browser did not even ask the model: %s", got)
		}
	}
	ask(srv)
	if got := requestsTo(srv); got != 1 {
		t.Errorf("the journal has %d requests, want 1", got)
	}
	if got := look(t, srv.URL+"/loopproof/runs"); strings.Count(got, `"id":`) != 2 || strings.Count(got, `"requests":1`) != 2 {
		t.Errorf("the runs are %s", got)
	}
	// A server that allows every origin does get the same request, so the requests do reach servers.
	shared := mockprovider.NewServer(mockprovider.Config{Access: mockprovider.Access{Origins: []string{"*"}, Hosts: []string{"*"}}})
	defer shared.Close()
	ask(shared)
	if got := shared.Journal().Count(); got != 1 {
		t.Errorf("the requests of the page do not reach the server, so this test tests nothing: the journal has %d", got)
	}
	b.problems = nil // the browser complains of what it blocks, as it should
}

// A name of an attacker that points to this machine makes their page one of the same origin, which
// may read what it likes. The server answers nothing under such a name.
func TestRebinding(t *testing.T) {
	srv := start(t, many)
	question(t, srv.URL, says("user", "a secret"))
	u, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + rebound + ":" + u.Port()
	b := elsewhere(t)
	b.goTo(base + "/loopproof/")
	if text := eval[string](b, "document.body.innerText"); !strings.Contains(text, "is not known, and may be the name of a web page's site that points here") || strings.Contains(text, "secret") {
		t.Errorf("the page reads %q", text)
	}
	for _, path := range []string{"/", "/requests", "/runs", "/events", "/openapi.yaml"} {
		if got := b.fetch(base+"/loopproof"+path, `{}`); !strings.HasPrefix(got, "403 ") || strings.Contains(got, "a secret") {
			t.Errorf("GET %s answers %s", path, got)
		}
	}
	if got := b.fetch(base+"/loopproof/runs/default/reset", `{ method: "POST" }`); !strings.HasPrefix(got, "403 ") {
		t.Errorf("POST /runs/default/reset answers %s", got)
	}
	if got := requestsTo(srv); got != 1 {
		t.Errorf("the journal has %d requests, want 1", got)
	}
	if got := b.fetch(base+"/loopproof/healthz", `{}`); !strings.HasPrefix(got, "200 ") {
		t.Errorf("the name does not lead to the server, so this test tests nothing: %s", got)
	}
	b.problems = nil // the browser complains of every 403
}
