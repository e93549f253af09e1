package stubs

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/secret"
	"github.com/loopproof/loopproof/internal/wire"
)

// answered reads the answer of a stub.
func (s *stub) answered() error {
	r := s.node.Get("response")
	if r.Has("proxyBaseUrl") {
		return errors.New("it forwards requests; loopproof serve --fallback does so for those that no script answers")
	}
	if fault := r.Get("fault").Text(); fault != "" {
		return s.fault(fault)
	}
	body, err := s.content(r)
	if err != nil {
		return err
	}
	if bytes.Contains(body, []byte("{{")) {
		if templated(r) {
			return errTemplate
		}
		s.differs("/response", "what is in double braces is sent as it is, as WireMock does without global templates")
	}
	status := http.StatusOK
	if n, ok := r.Get("status").Int(); ok {
		status = n
	}
	f := &fixtures.Response{Dialect: s.dialect.Name, Status: status, Headers: keptHeaders(r.Get("headers"))}
	if len(body) > 0 {
		f.Writes = [][]byte{[]byte(secret.Redact(string(body), "REDACTED"))}
	}
	var file bytes.Buffer
	if err := f.Write(&file); err != nil {
		return err
	}
	if _, err := fixtures.Read(file.Bytes()); err != nil {
		return fmt.Errorf("its answer cannot be sent: %w", err)
	}
	s.answer = file.Bytes()
	s.delay(r, status)
	return nil
}

// content returns the body of the answer.
func (s *stub) content(r *wire.Node) ([]byte, error) {
	switch {
	case r.Has("jsonBody"):
		return []byte(stringify(r.Get("jsonBody"))), nil
	case r.Has("base64Body"):
		return base64.StdEncoding.DecodeString(r.Get("base64Body").Text())
	case r.Has("bodyFileName"):
		if strings.Contains(r.Get("bodyFileName").Text(), "{{") {
			return nil, errTemplate
		}
		return s.file.Body(r.Get("bodyFileName").Text())
	default:
		return []byte(r.Get("body").Text()), nil
	}
}

// keptHeaders returns the headers of the answer that clients of a model read. Those that are
// templates are left out.
func keptHeaders(n *wire.Node) http.Header {
	h := http.Header{}
	for _, m := range members(n) {
		name := strings.ToLower(m.Key)
		if value := m.Value.TextOrJSON(); !strings.Contains(value, "{{") &&
			(name == "content-type" || strings.HasPrefix(name, "retry-after") || strings.Contains(name, "ratelimit") || name == "x-should-retry") {
			h.Set(m.Key, value)
		}
	}
	return h
}

func (s *stub) fault(name string) error {
	switch name {
	case "CONNECTION_RESET_BY_PEER":
		s.step.Reset = &Break{Before: "headers"}
	case "EMPTY_RESPONSE":
		s.step.Cut = &Break{Before: "headers"}
	default:
		return fmt.Errorf("the fault %s has no counterpart in a script", name)
	}
	return nil
}

// delay reads how long the answer takes.
func (s *stub) delay(r *wire.Node, status int) {
	b := &Behaviour{}
	if ms, ok := r.Get("fixedDelayMilliseconds").Float(); ok && ms > 0 {
		b.FirstToken = milliseconds(ms)
	}
	if d := r.Get("delayDistribution"); d.Get("type").Text() == "uniform" {
		lower, _ := d.Get("lower").Float()
		upper, _ := d.Get("upper").Float()
		if middle := (lower + upper) / 2; middle > 0 && upper >= lower {
			b.FirstToken, b.Jitter = milliseconds(middle), percent((upper-lower)/2/middle)
		}
	} else if d != nil {
		s.differs("/response/delayDistribution", "a script has no delay of the type %s", d.Get("type").Text())
	}
	if r.Has("chunkedDribbleDelay") {
		s.differs("/response/chunkedDribbleDelay", "the answer is sent in one piece")
	}
	switch {
	case b.FirstToken == "":
	case status >= 400:
		s.differs("/response", "an error is sent without delay")
	default:
		s.step.Behaviour = b
	}
}
