package browser

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestMatrix renders the site of the results of this repository, and looks at it as people do.
func TestMatrix(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	if out, err := exec.Command("go", "run", "-C", "..", "./matrix", "--out", dir, "results").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	srv := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(srv.Close)
	for name, test := range map[string]func(*testing.T, string){
		"fits every screen": fitsEveryScreen, "without JavaScript": withoutJavaScript, "filters": matrixFilters, "links unfold": linksUnfold,
	} {
		t.Run(name, func(t *testing.T) { test(t, srv.URL) })
	}
}

// sitePages has a page of each kind.
var sitePages = map[string]string{
	"matrix": "/", "matrix-area": "/areas/stream.html", "matrix-loop": "/loops/openai-run-tools.html", "matrix-rules": "/rules.html",
	"matrix-rule": "/rules/failure/cut-stream-reported.html", "matrix-providers": "/providers.html", "matrix-provider": "/providers/openai.html",
}

// Every page of the matrix fits every screen; wide tables scroll by themselves, and their heads
// stay.
func fitsEveryScreen(t *testing.T, base string) {
	for _, s := range screens {
		b := open(t, s)
		for name, path := range sitePages {
			b.goTo(base + path)
			b.shoot(name + "-" + s.name)
			b.check(name + " on the " + s.name)
			if wide := eval[int64](b, `document.documentElement.scrollWidth`); wide > s.width {
				t.Errorf("%s on the %s is %d pixels wide", name, s.name, wide)
			}
		}
		b.goTo(base + "/areas/stream.html")
		stays := eval[bool](b, `(() => {
			const box = document.querySelector(".scroll"), head = box.querySelector("thead th.loop"), first = box.querySelector("tbody th");
			const top = head.getBoundingClientRect().top, left = first.getBoundingClientRect().left;
			box.scrollTop = 300; box.scrollLeft = 100;
			return box.scrollTop > 100 && Math.abs(head.getBoundingClientRect().top - top) < 2 && Math.abs(first.getBoundingClientRect().left - left) < 2;
		})()`)
		if !stays {
			t.Errorf("the heads of the table do not stay on the %s", s.name)
		}
	}
}

// Without JavaScript the pages are complete, and only the filters are missing.
func withoutJavaScript(t *testing.T, base string) {
	b := open(t, screens[2])
	b.run(emulation.SetScriptExecutionDisabled(true))
	b.goTo(base + "/loops/openai-run-tools.html")
	b.shoot("matrix-without-javascript")
	b.run(
		chromedp.WaitNotVisible("form.filter", chromedp.ByQuery),
		chromedp.WaitVisible(".failure .verdict.broken", chromedp.ByQuery),
		chromedp.WaitVisible("details.area > summary", chromedp.ByQuery),
		chromedp.Click("details.area > summary", chromedp.ByQuery),
		chromedp.WaitVisible("details.area[open] table", chromedp.ByQuery),
	)
}

// The filters leave what was asked for, in rows and columns, and take nothing for good.
func matrixFilters(t *testing.T, base string) {
	b := open(t, screens[0])
	choose := func(label, value string) {
		t.Helper()
		b.run(chromedp.Evaluate(`(() => { const s = document.querySelector("[aria-label='`+label+`']"); s.value = "`+value+`"; s.dispatchEvent(new Event("input", {bubbles: true})) })()`, nil))
	}
	rows := func() int {
		return eval[int](b, `document.querySelectorAll("tbody tr[data-row]:not([hidden])").length`)
	}
	b.goTo(base + "/")
	all := rows()
	choose("Language", "go")
	if n := rows(); n < 1 || n >= all {
		t.Errorf("%d of %d loops are in Go", n, all)
	}
	if n := eval[int](b, `document.querySelectorAll(".matrix thead th.loop:not([hidden])").length`); n != rows() {
		t.Errorf("%d columns for %d loops", n, rows())
	}
	choose("Language", "")
	if n := rows(); n != all {
		t.Errorf("%d of %d loops are back", n, all)
	}
	b.goTo(base + "/areas/stream.html")
	all = rows()
	choose("State", "broken")
	broken := rows()
	if broken < 1 || broken >= all {
		t.Errorf("%d of %d rules are broken", broken, all)
	}
	choose("Level", "must")
	if n := rows(); n < 1 || n >= broken {
		t.Errorf("%d of %d broken rules are musts", n, broken)
	}
	b.until(`document.getElementById("found").textContent.endsWith(" shown")`)
}

// A link to a rule on the page of a loop leads to it, also where it is folded.
func linksUnfold(t *testing.T, base string) {
	b := open(t, screens[2])
	b.goTo(base + "/areas/pairing.html")
	b.goTo(eval[string](b, `document.querySelector("td.kept a").href`))
	b.until(`location.hash !== "" && (() => {
		const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
		const top = target?.getBoundingClientRect().top;
		return target?.checkVisibility() && top > -50 && top < innerHeight;
	})()`)
}
