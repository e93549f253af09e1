package refloop

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestEventReader(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		want         []string
	}{
		{"line feeds", "data: a\n\ndata: b\n\n", []string{"a", "b"}},
		{"carriage returns", "data: a\r\rdata: b\r\r", []string{"a", "b"}},
		{"both", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}},
		{"mixed", "data: a\r\n\ndata: b\n\rdata: c\r\r\n", []string{"a", "b", "c"}},
		{"byte order mark", "\ufeffdata: a\n\n", []string{"a"}},
		{"byte order mark later is data", "data: a\n\n\ufeffdata: b\n\ndata: c\n\n", []string{"a", "c"}},
		{"no space", "data:a\n\n", []string{"a"}},
		{"two spaces", "data:  a\n\n", []string{" a"}},
		{"colons in the data", "data: {\"a\":1}\n\n", []string{`{"a":1}`}},
		{"several lines", "data: a\ndata:\ndata: b\n\n", []string{"a\n\nb"}},
		{"several lines that end in both", "data: a\r\ndata: b\r\n\r\n", []string{"a\nb"}},
		{"no value", "data\n\n", nil},
		{"comments", ": hello\n\n:\n\ndata: a\n: inside\n\n: bye\n\n", []string{"a"}},
		{"other fields", "event: x\nid: 1\nretry: 5\nDATA: no\ndata : no\ndata: a\n\n", []string{"a"}},
		{"event without data", "event: ping\n\ndata: a\n\n", []string{"a"}},
		{"blank lines between", "\n\n\ndata: a\n\n\n\ndata: b\n\n", []string{"a", "b"}},
		{"cut in the data", "data: a\n\ndata: b", []string{"a"}},
		{"cut before the blank line", "data: a\n\ndata: b\n", []string{"a"}},
		{"shorter than a byte order mark", "\n", nil},
		{"nothing", "", nil},
	} {
		readers := map[string]io.Reader{"at once": strings.NewReader(c.stream), "byte by byte": iotest.OneByteReader(strings.NewReader(c.stream))}
		for how, r := range readers {
			events := eventReader{lines: newLineReader(r)}
			var got []string
			_, data, err := events.next()
			for ; err == nil; _, data, err = events.next() {
				got = append(got, string(data))
			}
			if err != io.EOF {
				t.Errorf("%s, %s: ended with %v", c.name, how, err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", c.name, how, diff)
			}
		}
	}
}

func TestRetryAfter(t *testing.T) {
	inAMinute := time.Now().Add(time.Minute).UTC().Format(http.TimeFormat)
	for _, c := range []struct {
		name   string
		header http.Header
		least  time.Duration
		most   time.Duration
	}{
		{"none", http.Header{}, 0, 0},
		{"seconds", http.Header{"Retry-After": {"2"}}, 2 * time.Second, 2 * time.Second},
		{"part of a second", http.Header{"Retry-After": {"0.25"}}, 250 * time.Millisecond, 250 * time.Millisecond},
		{"milliseconds", http.Header{"Retry-After-Ms": {"30"}}, 30 * time.Millisecond, 30 * time.Millisecond},
		{"milliseconds before seconds", http.Header{"Retry-After-Ms": {"30"}, "Retry-After": {"9"}}, 30 * time.Millisecond, 30 * time.Millisecond},
		{"date", http.Header{"Retry-After": {inAMinute}}, 58 * time.Second, time.Minute},
		{"nonsense", http.Header{"Retry-After": {"soon"}}, 0, 0},
		{"no milliseconds at all", http.Header{"Retry-After-Ms": {"0"}, "Retry-After": {"5"}}, 0, 0},
		{"less than nothing", http.Header{"Retry-After": {"-5"}}, 0, 0},
		{"not a number", http.Header{"Retry-After": {"NaN"}}, 0, 0},
		{"for ever", http.Header{"Retry-After": {"inf"}}, 24 * time.Hour, 1 << 62},
		{"nonsense in milliseconds", http.Header{"Retry-After-Ms": {"x"}, "Retry-After": {"1"}}, time.Second, time.Second},
	} {
		if got := retryAfter(c.header); got < c.least || got > c.most {
			t.Errorf("%s: wait for %v, want %v to %v", c.name, got, c.least, c.most)
		}
	}
}

func TestMayPass(t *testing.T) {
	for _, c := range []struct {
		status int
		says   string // x-should-retry
		body   string
		want   bool
	}{
		{408, "", "", true}, {409, "", "", true}, {429, "", "", true}, {500, "", "", true}, {503, "", "", true}, {529, "", "", true},
		{400, "", "", false}, {401, "", "", false}, {402, "", "", false}, {404, "", "", false}, {413, "", "", false}, {422, "", "", false},
		{503, "false", "", false}, {400, "true", "", true}, {429, "maybe", "", true},
		{429, "", `{"error":{"code":"insufficient_quota"}}`, false},
	} {
		h := http.Header{}
		h.Set("X-Should-Retry", c.says)
		if got := mayPass(c.status, h, []byte(c.body)); got != c.want {
			t.Errorf("%+v: another attempt may succeed: %v", c, got)
		}
	}
}
