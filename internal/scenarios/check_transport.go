package scenarios

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
)

var (
	redirects  = []int{301, 302, 307, 308}
	headerName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9-]+$`) })

	// ours are the headers that say how a body is sent; a wrong one would break the connection and
	// not the loop.
	ours = []string{"content-length", "content-encoding", "content-type", "transfer-encoding", "connection", "location"}
)

// transport checks how a step travels.
func (c *checker) transport(here string, step Step) {
	answers := step.answers()
	c.expect(step.Redirect == 0 || slices.Contains(redirects, step.Redirect), here+"/redirect", "a redirect has the status 301, 302, 307 or 308, not %d", step.Redirect)
	c.expect(!step.SocketExpires || slices.Equal(c.s.Deliveries, []string{string(wire.DeliverSocket)}), here+"/socket-expires", "only a socket can be too old: it needs `deliveries: [socket]`")
	c.expect(step.Body == nil || step.Status != 0, here+"/body", "a body goes with a status; 200 for one that is not an answer")
	c.expect(step.Body == nil || step.Error == nil, here+"/error", "the body says what the error is; leave one of the two away")
	c.expect(step.Status != 200 || step.Body != nil || step.Half != "" || step.Error != nil, here+"/status", "the status 200 needs a body that is not an answer; an answer needs no status")
	c.expect(step.Half == "" || step.Status != 0 && step.Body == nil && step.Error == nil, here+"/half", "half of a body goes with a status, and with no other body or error")
	c.expect(step.ContentType == "" || answers || step.Body != nil, here+"/content-type", "a content type goes with an answer or a body")
	c.expect(!step.Whole || answers, here+"/whole", "only an answer is whole")
	c.expect(!step.Gzip || answers || step.Status != 0, here+"/gzip", "there is nothing to compress")
	c.expect(!step.Gzip || step.Cut == nil && step.Reset == nil && step.Stall == nil, here+"/gzip", "what breaks off is not compressed")
	if step.RetryAfterAs != "" {
		c.word(here+"/retry-after-as", "form", string(step.RetryAfterAs), wire.Words(waitForms))
		c.expect(step.RetryAfter != nil, here+"/retry-after-as", "there is no retry-after to write")
	}
	for _, h := range step.Headers {
		at := here + "/headers/" + h.Name
		c.expect(headerName().MatchString(h.Name) && !slices.Contains(ours, strings.ToLower(h.Name)), at, "%q is no header that a step can set", h.Name)
		c.expect(!strings.ContainsAny(h.Value, "\r\n"), at, "a header is one line")
	}
	if s := step.Stall; s != nil {
		c.expect(s.For > 0, here+"/stall", "a stall needs a time: `for: 2s`")
	}
	c.reached(here, step)
}

// reached checks that a step is one thing: an answer, an error, or nothing that arrives.
func (c *checker) reached(here string, step Step) {
	kinds := 0
	for _, is := range []bool{step.answers(), step.Status != 0 || step.TooLong, step.Redirect != 0, step.SocketExpires, step.Refused, step.lost() && !step.Refused} {
		if is {
			kinds++
		}
	}
	unread := step.Fixture != "" && step.recorded == nil // which is an error of its own
	c.expect(kinds > 0 || unread, here, "the step says nothing: it needs text, calls or a status (a blank answer is `text: \"\"`)")
	c.expect(kinds < 2, here, "a step answers or has a status, not both; a redirect, a refused connection and a break before the headers stand alone")
	if step.Refused {
		last := c.s.Model[len(c.s.Model)-1]
		c.expect(last.Refused && len(c.s.Model) > 1, here+"/refused", "a client that is refused once is refused for good: the step is the last, and not the first")
	}
}
