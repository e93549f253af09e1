package mockprovider

import (
	"context"
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// conversation is what a request belongs to: a run that knows its place, or else what the history of the request says.
type conversation interface {
	profile() *profiles.Profile
	delivery() wire.Delivery
	lenient() bool
	secret() string
	since() time.Duration
	rendered() *rendered
	threads() *threads

	// name is the id of the run that the conversation is, or the default one's.
	name() string
	// journal is where its exchanges are written down.
	journal() *Journal
	// take notes an exchange, which came with these headers, and finds the script to which it belongs, the turn of it that
	// answers, and how. The error says why there is none.
	take(x *trace.Exchange, header http.Header) (taken, error)
	// outwaited notes that the client did not leave a connection that was left open.
	outwaited(x *trace.Exchange)
	// end notes that the exchange is over.
	end(x *trace.Exchange)
	// during returns a context for an answer, which ends with the conversation.
	during(context.Context) (context.Context, context.CancelFunc)
	// held returns the answer with the place in it at which the user cancels, if they do.
	held(x *trace.Exchange, r response) response
}

// taken is what was found out about an exchange.
type taken struct {
	script *scenarios.Script // nil: none
	manner manner
}

// finder finds the conversation of a request.
type finder func(*http.Request) (conversation, error)

func (r *Run) profile() *profiles.Profile { return r.config.Profile }
func (r *Run) delivery() wire.Delivery    { return r.config.Delivery }
func (r *Run) lenient() bool              { return r.config.Lenient }
func (r *Run) secret() string             { return r.config.Secret }
func (r *Run) rendered() *rendered        { return nil } // each turn is played once
func (r *Run) name() string               { return r.ID }
func (r *Run) journal() *Journal          { return r.log }
func (r *Run) threads() *threads          { return r.kept }

func (r *Run) held(x *trace.Exchange, resp response) response {
	switch {
	case r.cancels(x, scenarios.DuringAnswer):
		resp.hold = &hold{before: true}
	case r.cancels(x, scenarios.DuringStream):
		resp.hold = &hold{}
	case r.cancels(x, scenarios.DuringWait):
		resp.after = func() { go r.cancelInWait(x) }
		return resp
	default:
		return resp
	}
	resp.hold.wait = func(ctx context.Context) bool {
		if !resp.hold.before {
			r.provider.config.Clock.Sleep(ctx, arrival)
		}
		gone := r.hold(ctx, x)
		r.mu.Lock()
		defer r.mu.Unlock()
		x.Dropped = gone
		return gone
	}
	return resp
}
