package loops

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/protocol"
)

// Adapter is a loop in any language, connected by a program that reads and writes the JSON lines of
// package protocol; see package suite.
type Adapter struct {
	Command string   // looked up in the PATH
	Args    []string // its arguments
	Env     []string // "NAME=value", in addition to our own environment
	Dir     string   // where it runs; "" is where we run

	known        profiles.Known // that its hello may name
	startTimeout time.Duration  // for its hello
	keeper       *keeper        // of the run

	// Patience is how long is waited for a late outcome, and for its end when it is asked to end; 0
	// is two seconds.
	Patience time.Duration
}

const StartTimeout = 60 * time.Second

// Open starts the adapter and reads its hello.
func (a Adapter) Open(ctx context.Context, o Options) (Session, error) {
	if a.Command == "" {
		return nil, errors.New("the adapter has no command: set Adapter.Command")
	}
	a.known, a.startTimeout = o.Profiles, cmp.Or(a.startTimeout, o.StartTimeout, StartTimeout)
	o.waitFor("the hello of the adapter")
	a.keeper = newKeeper()
	s := &adapterSession{adapter: a.withDefaults(), protocolErrors: &protocolErrors{}}
	conn, err := s.adapter.connect(ctx, s.protocolErrors)
	if err != nil {
		a.keeper.close()
		return nil, err
	}
	s.conn, s.remarks = conn, conn.remarks
	for _, remark := range s.remarks {
		if o.OnRemark != nil {
			o.OnRemark(remark)
		}
	}
	return s, nil
}

func (a Adapter) withDefaults() Adapter {
	if a.Patience == 0 {
		a.Patience = grace
	}
	return a
}

// connect starts the program and waits for its hello.
func (a Adapter) connect(ctx context.Context, known *protocolErrors) (*connection, error) {
	p, err := program{command: a.Command, args: a.Args, env: a.Env, dir: a.Dir, keeper: a.keeper}.start()
	if err != nil {
		return nil, fmt.Errorf("the adapter did not start: %w", err)
	}
	c := newConnection(p, known, a.Patience)
	first, hello, problem := a.greeting(ctx, c)
	if problem != "" {
		p.kill()
		<-c.gone
		return nil, &PreflightError{"the adapter did not start: " + problem, cmp.Or(p.stderr.note(""), "it printed nothing on standard error")}
	}
	c.greet(hello)
	c.remarks = unreadKeys(first.text)
	return c, nil
}

// greeting waits for the first line, and returns it, and what it says or why that is no hello.
func (a Adapter) greeting(ctx context.Context, c *connection) (line, protocol.Hello, string) {
	t := time.NewTimer(a.startTimeout)
	defer t.Stop()
	select {
	case first := <-c.first:
		hello, problem := readHello(first, a.known)
		return first, hello, problem
	case <-c.gone:
	case <-t.C:
		return line{}, protocol.Hello{}, fmt.Sprintf("it did not say hello within %v (--start-timeout, Config.StartTimeout); its first line on standard output has to be %s", a.startTimeout, exampleHello())
	case <-ctx.Done():
		return line{}, protocol.Hello{}, "the run was interrupted before it had said hello"
	}
	select {
	case first := <-c.first: // its last word was its first
		if hello, problem := readHello(first, a.known); problem != "" {
			return first, hello, problem
		}
	default:
	}
	return line{}, protocol.Hello{}, "it " + c.cause + " before it had said hello, the first line of an adapter"
}

func exampleHello() string {
	line, _ := json.Marshal(protocol.Hello{ // a value without channels and functions always has a JSON form
		Type: protocol.TypeHello, Protocol: protocol.Version, Name: "my-loop",
		Dialects: dialect.Names(dialect.All()[:1]), Features: []protocol.Feature{protocol.Streaming},
	})
	return string(line)
}
