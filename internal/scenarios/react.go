package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// stepTexts are the texts of a step that have places to fill, by where they are in the step.
type stepTexts map[string]filling

// prepare reads the templates of the steps.
func (s *Script) prepare() {
	for i := range s.Scenario.Model {
		step, texts := &s.Scenario.Model[i], stepTexts{}
		step.eachText(func(key string, text *string) {
			if f, err := newFilling(*text, s.Scenario.groups(step)); err == nil && f.tree != nil { // the loader has seen to errors
				texts[key] = f
			}
		})
		s.texts = append(s.texts, texts)
	}
}

// Answer returns the turn by which a step answers a request, in a scenario without a prompt. Its
// ids are new in each request, and the same when the same is asked again. The error says what the
// step wants of the request that is not there.
func (s *Script) Answer(step int, a Ask) (*Turn, error) {
	filled, err := s.fill(step, a)
	if err != nil {
		return nil, fmt.Errorf("step %d of %s cannot answer: %w", step+1, s.Scenario.ID, err)
	}
	c := &compiler{script: s, secret: s.secret, ids: map[string]string{}, quirky: true, asked: a.digest(), place: s.Scenario.placeOf(step)}
	turn := c.turn(c.withBody(filled), step)
	turn.Asked = c.asked
	if turn.Answer != nil && filled.recorded == nil {
		turn.Answer.Usage.Prompt = Tokens(a.Request)
		if said := filled.Usage; said != nil {
			turn.Answer.Usage = said.in(s.Profile.Speaks, turn.Answer.Usage)
		}
		if err := filled.surround(turn.Answer, a.Demands()); err != nil {
			return nil, fmt.Errorf("step %d of %s cannot answer: %w", step+1, s.Scenario.ID, err)
		}
	}
	return turn, nil
}

// placeOf returns a word for a step that has a call of the same name as another step: two answers
// to one request must not have the same ids. For any other step it is "".
func (s *Scenario) placeOf(number int) string {
	for _, call := range s.Model[number].Calls {
		for i, other := range s.Model {
			if i != number && slices.ContainsFunc(other.Calls, func(c Call) bool { return c.As == call.As }) {
				return fmt.Sprintf("step %d ", number)
			}
		}
	}
	return ""
}

// fill returns a copy of a step in which all places are filled.
func (s *Script) fill(number int, a Ask) (*Step, error) {
	step := s.Scenario.Model[number]
	texts := s.texts[number]
	if step.FromSchema > 0 {
		if err := step.fit(a, number); err != nil {
			return nil, err
		}
	}
	if len(texts) == 0 {
		return &step, nil
	}
	v := values{ask: a, groups: s.Scenario.groups(&step)}
	step.Text, step.Reasoning, step.Calls = cloned(step.Text), cloned(step.Reasoning), slices.Clone(step.Calls)
	var failed error
	step.eachText(func(key string, text *string) {
		f, has := texts[key]
		if !has || failed != nil {
			return
		}
		if *text, failed = f.fill(*text, v); failed != nil {
			failed = fmt.Errorf("in its %s, %w", key[1:], failed)
		}
	})
	if failed != nil {
		return nil, failed
	}
	return &step, s.writable(&step, texts)
}

func cloned(text *string) *string {
	if text == nil {
		return nil
	}
	c := *text
	return &c
}

// writable returns an error when arguments that were filled are no JSON, which no model would
// write.
func (s *Script) writable(step *Step, texts stepTexts) error {
	for i, c := range step.Calls {
		if _, filled := texts[at("calls", i)+"/arguments"]; !filled || wire.BlankArguments(c.Arguments) {
			continue
		}
		if _, is := wire.ParseObject(c.Arguments); !is {
			return fmt.Errorf("the arguments that it fills in are no JSON object: %s; write {{ user | json }} for a text in quotes", quoted(c.Arguments))
		}
	}
	return nil
}

// digest returns a word for the conversation that a request carries.
func (a Ask) digest() string {
	h := hashed(a.Request)
	io.WriteString(h, a.Salt)
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// hashed returns the hash of the messages of a request. If each of them is an item of the list, what
// was hashed of the request before is not hashed again.
func hashed(req *wire.Request) hash.Hash {
	type itemsHashed struct{}
	messages, items := req.Messages, req.MessageList().All()
	same := slices.EqualFunc(messages, items, func(m wire.Message, item *wire.Node) bool { return m.Node == item })
	h, from := sha256.New(), 0
	if same {
		known, before := req.Found(itemsHashed{})
		if before, is := before.(hash.Cloner); is {
			if again, err := before.Clone(); err == nil {
				h, from = again, known
			}
		}
	}
	for _, m := range messages[from:] {
		h.Write(m.Node.Raw)
	}
	if h, is := h.(hash.Cloner); is && same {
		if kept, err := h.Clone(); err == nil {
			req.NoteFound(itemsHashed{}, kept)
		}
	}
	return h
}
