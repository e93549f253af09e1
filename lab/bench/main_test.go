package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// The bodies of all workloads are JSON with one place for the number of the conversation, and those of histories have about the size that their name
// says.
func TestWorkloadsAreRequests(t *testing.T) {
	for _, w := range workloads() {
		if !json.Valid([]byte(w.body)) || w.api.path == "" || strings.Count(w.body, numberPlace) != 1 {
			t.Errorf("%s is not a request: %.200s", w.Name, w.body)
		}
	}
	for turns, size := range map[int]int{10: 100_000, 100: 1_000_000, 1000: 1_000_000} {
		if got := len(longBody(turns, size)); got < size*8/10 || got > size*11/10 {
			t.Errorf("%d turns have %d bytes, want about %d", turns, got, size)
		}
	}
}

func TestReadsTheResultOfWrk(t *testing.T) {
	got, err := readWrk("Running 1s test\n" + mark + `{"requests":5,"us":1000000,"p50":100,"p99":900,"failed":1,"status":2}` + "\n")
	want := wrkResult{Requests: 5, US: 1_000_000, P50: 100, P99: 900, Failed: 1, Status: 2}
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if _, err := readWrk("unable to connect"); err == nil {
		t.Error("output without a result is not an error")
	}
}

// twoServers returns results in which the mock provider has a ratio to the floor.
func twoServers(ratio float64) *results {
	rounds := func(perSecond float64) []round {
		return []round{{PerSecond: perSecond, P50: time.Millisecond, P99: 2 * time.Millisecond, CPU: time.Microsecond}}
	}
	rows := []*loadRow{{Server: "floor", Rounds: rounds(1000)}, {Server: "Loopproof", Rounds: rounds(1000 * ratio)}}
	return &results{Loads: []load{{Name: "plain", About: "some requests", Bytes: 100, Rows: rows}}}
}

func TestReadsHowManyCasesWerePlayed(t *testing.T) {
	if got, err := casesIn([]byte("reference loop 0.1.0 (go): 5074 cases of 456 scenarios, 31 profiles, 6 deliveries\n")); got != 5074 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := casesIn([]byte("nothing was played")); err == nil {
		t.Error("output without a number of cases is not an error")
	}
}

func TestARatioThatIsWorseByATenthIsAnError(t *testing.T) {
	before := twoServers(0.8)
	if err := twoServers(0.73).worseThan(before); err != nil {
		t.Errorf("a little worse: %v", err)
	}
	if err := twoServers(0.71).worseThan(before); err == nil || !strings.Contains(err.Error(), "plain: 0.71 of the floor") {
		t.Errorf("a tenth worse: %v", err)
	}
}

func TestAnOpenStreamThatTakesMoreMemoryIsAnError(t *testing.T) {
	takes := func(kB int64) *results {
		return &results{Streams: []*streamsResult{{Server: "floor", PerStream: 16 << 10}, {Server: "Loopproof", PerStream: kB << 10}}}
	}
	for _, c := range []struct {
		now  *results
		want string
	}{
		{takes(25), ""},
		{&results{}, ""}, // not measured
		{takes(30), "an open stream takes 30 kB, which took 21"},
	} {
		if err := c.now.worseThan(takes(21)); (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if err := takes(30).worseThan(&results{}); err != nil {
		t.Errorf("nothing is stored: %v", err)
	}
}

func TestThePageNamesRatiosAndWhatIsMissing(t *testing.T) {
	r := twoServers(0.75)
	r.missing("%s is not installed", "aimock")
	r.Suite = []*suiteRow{{Name: "loopproof run", Cases: 500, Times: []time.Duration{2 * time.Second}}}
	page := r.page()
	for _, want := range []string{"**0.75**", "aimock is not installed", "| 1.0 ms | 2.0 ms |", "| plain: requests/s | 0.75 of the floor | 0.75 | met |", "| loopproof run: cases/s | 2000 | 250 | missed |"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}

func TestTheFloorWritesFilesAndFlushesEvents(t *testing.T) {
	folder := t.TempDir()
	events := "data: one\n\ndata: two\n\n"
	for name, text := range map[string]string{"plain": "{}", "stream": events} {
		if err := writeFile(folder+"/"+name, text); err != nil {
			t.Fatal(err)
		}
	}
	f, err := newFloor(folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"plain": "{}", "stream": events} {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/"+name, strings.NewReader("{}")))
		if got := w.Body.String(); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestALateEventIsCountedFromTheFirst(t *testing.T) {
	first := time.Now()
	late := lateness([]time.Time{first, first.Add(21 * time.Millisecond), first.Add(40 * time.Millisecond)}, 40*time.Millisecond)
	if late[0] != 0 || late[1] != time.Millisecond || late[2] != 0 {
		t.Errorf("got %v", late)
	}
}

// The weekly run compares with the stored results, of which the page is made.
func TestThePageIsThatOfTheStoredResults(t *testing.T) {
	r, err := readResults("results.json")
	if err != nil || len(r.Loads) == 0 || len(r.Streams) == 0 {
		t.Fatalf("got %+v, %v", r, err)
	}
	page, err := os.ReadFile("README.md")
	if err != nil || string(page) != r.page() {
		t.Errorf("README.md is not the page of results.json: go run ./bench page > bench/README.md (%v)", err)
	}
}

func TestAConversationThatGrowsIsLinearInWhatIsNew(t *testing.T) {
	row := &growingRow{Server: "Loopproof", Turns: 300, Bytes: [3]int{1e6, 3e6, 5e6}, CPU: [3]time.Duration{10 * time.Millisecond, 20 * time.Millisecond, 40 * time.Millisecond}}
	page := (&results{Growing: []*growingRow{row}, Chains: &chainsRow{Chains: 5, Turns: 7, End: 90 << 20}}).page()
	for _, want := range []string{"the last third | 1.5 times the first third | 4.0 times | missed |", "| Loopproof | 10.0 ms | 100 | 40.0 ms | 125 | 4.0 |", "memory with 5 kept conversations of 7 turns | 100 MB | 90 MB | met |"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}

func TestMostInTime(t *testing.T) {
	for _, c := range []struct{ limit, real, least int }{{10_000, 1700, 1500}, {10_000, 0, 0}, {10_000, 20_000, 10_000}, {30, 30, 30}, {1000, 999, 880}, {10_000, 50, 50}} {
		tries := 0
		got, err := mostInTime(c.limit, func(count int) (bool, error) { tries++; return count <= c.real, nil })
		if err != nil || got > c.real || got < c.least || tries > 30 {
			t.Errorf("of %d streams at most %d are served, and %d are found with %d tries, %v", c.limit, c.real, got, tries, err)
		}
	}
	if _, err := mostInTime(10, func(int) (bool, error) { return false, errors.New("gone") }); err == nil {
		t.Error("an error is lost")
	}
}
