package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof/internal/operations"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/recording"
	"github.com/loopproof/loopproof/internal/redisstore"
	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/suite"
)

// operationFlags are the flags of serve that are about the server, not about what it plays.
type operationFlags struct {
	watch            bool
	fallback, record string
	redact           []string
	token, store     string
	cert, key        string
	models           []string
	allowHosts       []string
	allowOrigins     []string
	log, journal     string
	journalSize      int
	journalMB        int64
	maxBodyMB        int64
	bodyTime, grace  time.Duration
}

// tokenVariable is the environment variable of the token, which a command line would show to everybody.
const tokenVariable = "LOOPPROOF_TOKEN"

// shutdownTime is how long answers that are being written may take to come to their end, where nothing else is said.
const shutdownTime = 5 * time.Second

func (f *operationFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&f.watch, "watch", false, "read the scenarios again when a file of them changes; a broken one keeps those before")
	set.StringVar(&f.fallback, "fallback", "", "let the provider of this `URL` answer what no scenario does")
	set.StringVar(&f.record, "record", "", "write what it answers into this `folder`, as loopproof record does")
	set.StringArrayVar(&f.redact, "redact", nil, "take the values of this `field` out of what is recorded; may be repeated")
	set.StringVar(&f.token, "token", "", "demand this `token` for the paths below /loopproof/, but for healthz and metrics; better set "+tokenVariable)
	set.StringVar(&f.store, "store", "", "share attempts, journal, verdicts and runs with other servers, through Redis or Valkey: redis://HOST:PORT/DB?prefix=NAME, a `URL`")
	set.StringVar(&f.cert, "tls-cert", "", "a `file` with the certificate, for https")
	set.StringVar(&f.key, "tls-key", "", "a `file` with its key")
	set.StringArrayVar(&f.models, "model", nil, "list this `model` at /v1/models, and no model that is not named; may be repeated")
	set.StringArrayVar(&f.allowHosts, "allow-host", nil, "let the control paths answer under this `host` name, too; may be repeated")
	set.StringArrayVar(&f.allowOrigins, "allow-origin", nil, "let pages of this `origin` read the answers of the models, besides those of this machine; may be repeated, * is any")
	set.StringVar(&f.log, "log", "", "write a line about every request on standard error, as `text or json`")
	set.StringVar(&f.journal, "journal", "", "append every request and answer to this `file`, one JSON object a line")
	set.IntVar(&f.journalSize, "journal-size", 1000, "how many requests are remembered")
	set.Int64Var(&f.journalMB, "journal-mb", 256, "how many megabytes of them are")
	set.Int64Var(&f.maxBodyMB, "max-body-mb", 32, "how many megabytes a request may have")
	set.DurationVar(&f.bodyTime, "body-time", time.Minute, "how long a client may take to send a request")
	set.DurationVar(&f.grace, "grace", shutdownTime, "how long answers may take to come to their end at shutdown")
}

func (f *operationFlags) check() error {
	var errs []error
	expect := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	expect((f.cert == "") == (f.key == ""), "--tls-cert and --tls-key go together")
	expect(f.log == "" || f.log == "text" || f.log == "json", "--log is text or json, not %q", f.log)
	expect(f.record == "" || f.fallback != "", "--record writes down what --fallback answers; without one, use loopproof record")
	expect(len(f.redact) == 0 || f.record != "", "--redact is about what --record writes")
	expect(f.journalSize > 0 && f.journalMB > 0 && f.maxBodyMB > 0, "--journal-size, --journal-mb and --max-body-mb are at least 1")
	expect(f.bodyTime >= 0 && f.grace >= 0, "--body-time and --grace are times such as 30s")
	return errors.Join(errs...)
}

// operations are what stands around the provider of a service.
type serviceOperations struct {
	metrics        *operations.Metrics
	log            *slog.Logger // nil: people read
	spill          *operations.Spill
	fallback       *recording.Recorder
	store          *redisstore.Store
	onExchangeDone []func(mockprovider.Entry)
}

func (f *operationFlags) open(s streams, played []*profiles.Profile) (*serviceOperations, error) {
	o := &serviceOperations{metrics: operations.NewMetrics(suite.Version)}
	o.onExchangeDone = append(o.onExchangeDone, o.metrics.ExchangeDone)
	switch f.log {
	case "json":
		o.log = slog.New(slog.NewJSONHandler(s.err, nil))
	case "text":
		o.log = slog.New(slog.NewTextHandler(s.err, nil))
	}
	if o.log != nil {
		o.onExchangeDone = append(o.onExchangeDone, operations.Log{Logger: o.log}.ExchangeDone)
	}
	if f.fallback != "" {
		r, err := recording.New(recording.Config{
			Upstream: f.fallback, Dir: f.record, Redact: f.redact, Profiles: played,
			Failed: func(err error) { o.tell(s, "%v", err) },
			Noted:  func(note string) { o.tell(s, "%s", note) },
			Merged: func(name, same string) { o.tell(s, "%s says the same as %s and is not kept", name, same) },
			Seen: func(x recording.Exchange) {
				o.tell(s, "recorded %s step %d: %s", x.Scenario, x.Step, x.Said)
			},
		})
		if err != nil {
			return nil, fmt.Errorf("--fallback: %w", err)
		}
		o.fallback = r
	}
	if f.store != "" {
		redisstore.SilenceLibrary()
		store, err := redisstore.Open(context.Background(), f.store)
		if err != nil {
			return nil, fmt.Errorf("--store: %w", err)
		}
		o.store = store
	}
	if f.journal != "" {
		spill, err := operations.NewSpill(f.journal, func(err error) { o.tell(s, "the journal is not written to %s any more: %v", f.journal, err) })
		if err != nil {
			return nil, fmt.Errorf("--journal: %w", err)
		}
		o.spill = spill
		o.onExchangeDone = append(o.onExchangeDone, spill.ExchangeDone)
	}
	return o, nil
}

// tell writes a line for people, or for machines where those read.
func (o *serviceOperations) tell(s streams, format string, args ...any) {
	if o != nil && o.log != nil {
		o.log.Info(fmt.Sprintf(format, args...))
		return
	}
	s.log(format, args...)
}

// config puts the operations into the config of a provider.
func (o *serviceOperations) config(s streams, f *operationFlags, c mockprovider.Config) mockprovider.Config {
	c.OnExchangeDone = operations.All(o.onExchangeDone...)
	c.Models, c.Access = f.models, mockprovider.Access{Hosts: f.allowHosts, Origins: f.allowOrigins}
	c.Limits = mockprovider.Limits{Body: f.maxBodyMB << 20, JournalEntries: f.journalSize, JournalBytes: f.journalMB << 20}
	if o.fallback != nil {
		c.Fallback = o.fallback
	}
	if o.store != nil {
		c.Store, c.StoreFailed = o.store, func(err error) { o.tell(s, "%v", err) }
	}
	return c
}

// middleware is the middleware around the provider, the outermost first.
func (o *serviceOperations) middleware(f *operationFlags) []func(http.Handler) http.Handler {
	token := f.token
	if token == "" {
		token = os.Getenv(tokenVariable)
	}
	return []func(http.Handler) http.Handler{operations.BodyTime(f.bodyTime), operations.Token(token), o.metrics.Serve}
}

// close ends what needs an end.
func (o *serviceOperations) close() error {
	var errs []error
	if o.fallback != nil {
		errs = append(errs, o.fallback.Close())
	}
	if o.store != nil {
		errs = append(errs, o.store.Close())
	}
	if o.spill != nil {
		errs = append(errs, o.spill.Close())
	}
	return errors.Join(errs...)
}

// secured returns a listener for https, where there is a certificate. Answers go by HTTP/1.1 there, too: only so can they
// break off as scenarios want it.
func (f *operationFlags) secured(l net.Listener) (net.Listener, error) {
	if f.cert == "" {
		return l, nil
	}
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12}), nil
}

// warn tells of a server that strangers can reach.
func (f *operationFlags) warn(v *service) {
	host, _, _ := net.SplitHostPort(v.listener.Addr().String())
	ip := net.ParseIP(host)
	if ip != nil && !ip.IsLoopback() && f.token == "" && os.Getenv(tokenVariable) == "" {
		v.log("every client that reaches %s can read the journal and make runs: set %s", v.listener.Addr(), tokenVariable)
	}
}
