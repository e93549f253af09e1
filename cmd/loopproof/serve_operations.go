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
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/redisstore"
	"github.com/loopproof/loopproof/internal/engine/tlsport"
	"github.com/loopproof/loopproof/internal/operations"
	"github.com/loopproof/loopproof/internal/operations/telemetry"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/recording"
)

// operationFlags are the flags of serve about the server, not about the scenarios.
type operationFlags struct {
	watch            bool
	fallback, record string
	redact           []string
	token, store     string
	cert, key        string
	tls              bool
	caFile           string
	ca               *tlsport.CA // where tls is set
	models           []string
	access           accessFlags
	certificate      *tls.Certificate // of cert and key, once it was read
	log, journal     string
	otlp             string
	otlpContent      bool
	journalSize      int
	journalMB        int64
	scriptsMB        int64
	maxBodyMB        int64
	bodyTime, grace  time.Duration
}

// tokenVariable is the environment variable of --token, which a command line would show to
// everybody.
const tokenVariable = settingPrefix + "TOKEN"

// shutdownTime is the default timeout for unfinished responses at shutdown.
const shutdownTime = 5 * time.Second

func (f *operationFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&f.watch, "watch", false, "reload the scenarios when a file changes; if one is invalid, keep the old ones")
	set.StringVar(&f.fallback, "fallback", "", "forward requests that no scenario answers to the provider at this `URL`")
	set.StringVar(&f.record, "record", "", "with --fallback: record its answers into this `folder`, as loopproof record does")
	set.StringArrayVar(&f.redact, "redact", nil, "with --record: remove the values of this `field`; repeatable")
	set.StringVar(&f.token, "token", "", "require this `token` for the paths under /loopproof/, except healthz and metrics; prefer the variable "+tokenVariable)
	set.StringVar(&f.store, "store", "", "share attempts, journal, verdicts and runs with other servers in the Redis or Valkey at this `URL`: redis://HOST:PORT/DB?prefix=NAME")
	set.StringVar(&f.cert, "tls-cert", "", "the certificate `file`, for https")
	set.StringVar(&f.key, "tls-key", "", "the key `file` of the certificate")
	set.BoolVar(&f.tls, "tls", false, "also answer https on the same port, and as the HTTPS_PROXY of a client in the name of every host, with certificates that are made on the spot")
	set.StringVar(&f.caFile, "ca-file", "", "with --tls: write the certificate that clients have to trust into this `file`")
	set.StringArrayVar(&f.models, "model", nil, "list only this `model` at /v1/models; repeatable")
	f.access.register(set)
	set.StringVar(&f.log, "log", "", "log every request on standard error, as `text or json`")
	set.StringVar(&f.otlp, "otlp", "", "send a span of every request to the OpenTelemetry collector at this `URL`, as in http://127.0.0.1:4318")
	set.BoolVar(&f.otlpContent, "otlp-content", false, "with --otlp: also send what was said")
	set.StringVar(&f.journal, "journal", "", "append every request and response to this `file`, one JSON object per line")
	set.IntVar(&f.journalSize, "journal-size", 1000, "the maximum number of requests that are kept")
	set.Int64Var(&f.journalMB, "journal-mb", 256, "the maximum size of the requests that are kept, in megabytes")
	set.Int64Var(&f.scriptsMB, "scripts-mb", 256, "the maximum memory of scripts that come over HTTP, in megabytes; more ends the runs that were idle for longest")
	set.Int64Var(&f.maxBodyMB, "max-body-mb", 32, "the maximum size of a request, in megabytes")
	registerBodyTime(set, &f.bodyTime)
	set.DurationVar(&f.grace, "grace", shutdownTime, "the timeout for unfinished responses at shutdown")
}

func (f *operationFlags) check() error {
	var errs []error
	expect := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	expect((f.cert == "") == (f.key == ""), "--tls-cert and --tls-key must be used together")
	expect(!f.tls || f.cert == "", "--tls makes a certificate, and --tls-cert names one: choose one of them")
	expect(f.caFile == "" || f.tls, "--ca-file needs --tls")
	expect(f.log == "" || f.log == "text" || f.log == "json", "--log must be text or json, not %q", f.log)
	expect(f.record == "" || f.fallback != "", "--record needs --fallback; to record without scenarios, use loopproof record")
	expect(len(f.redact) == 0 || f.record != "", "--redact needs --record")
	expect(!f.otlpContent || f.otlp != "", "--otlp-content needs --otlp")
	expect(f.journalSize > 0, "--journal-size must be at least 1, not %d", f.journalSize)
	expect(f.journalMB > 0, "--journal-mb must be at least 1, not %d", f.journalMB)
	expect(f.scriptsMB > 0, "--scripts-mb must be at least 1, not %d", f.scriptsMB)
	expect(f.maxBodyMB > 0, "--max-body-mb must be at least 1, not %d", f.maxBodyMB)
	expect(!slices.Contains(f.models, ""), "--model takes the name of a model, not an empty one")
	expect(f.grace >= 0, "--grace must be a duration such as 30s, not %v", f.grace)
	return errors.Join(append(errs, checkBodyTime(f.bodyTime), f.access.check())...)
}

// registerBodyTime registers a flag of all commands that serve HTTP.
func registerBodyTime(set *pflag.FlagSet, bodyTime *time.Duration) {
	set.DurationVar(bodyTime, "body-time", time.Minute, "the timeout for a client to send a request")
}

func checkBodyTime(bodyTime time.Duration) error {
	if bodyTime < 0 {
		return fmt.Errorf("--body-time must be a duration such as 30s, not %v", bodyTime)
	}
	return nil
}

// serviceOperations are the metrics, logs and stores of a service.
type serviceOperations struct {
	metrics        *operations.Metrics
	log            *slog.Logger // nil: log lines for people
	spill          *operations.Spill
	spans          *telemetry.Spans
	fallback       *recording.Recorder
	store          *redisstore.Store
	onExchangeDone []func(engine.Entry)
}

func (f *operationFlags) open(s streams, played []*profiles.Profile) (*serviceOperations, error) {
	o := &serviceOperations{metrics: operations.NewMetrics(loopproof.Version)}
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
			Failed: func(err error) { o.warn(s, "%v", err) },
			Noted:  func(note string) { o.tell(s, "%s", note) },
			Merged: func(name, same string) { o.tell(s, "%s has the same content as %s and is not kept", name, same) },
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
		store, err := redisstore.Open(context.Background(), f.store)
		if err != nil {
			return nil, fmt.Errorf("--store: %w", err)
		}
		o.store = store
	}
	if f.journal != "" {
		spill, err := operations.NewSpill(f.journal, func(told string) { o.warn(s, "%s", told) })
		if err != nil {
			return nil, fmt.Errorf("--journal: %w", err)
		}
		o.spill = spill
		o.onExchangeDone = append(o.onExchangeDone, spill.ExchangeDone)
	}
	if f.otlp != "" {
		spans, err := telemetry.Open(context.Background(), telemetry.Options{
			URL: f.otlp, Content: f.otlpContent, Version: loopproof.Version, Failed: func(err error) { o.warn(s, "%v", err) },
		})
		if err != nil {
			return nil, fmt.Errorf("--otlp: %w", err)
		}
		o.spans = spans
		o.onExchangeDone = append(o.onExchangeDone, spans.ExchangeDone)
	}
	return o, nil
}

// tell writes a log line: structured if --log is set.
func (o *serviceOperations) tell(s streams, format string, args ...any) {
	o.write(s, slog.LevelInfo, format, args...)
}

// warn is tell for what is wrong.
func (o *serviceOperations) warn(s streams, format string, args ...any) {
	o.write(s, slog.LevelWarn, format, args...)
}

func (o *serviceOperations) write(s streams, level slog.Level, format string, args ...any) {
	if o == nil || o.log == nil {
		s.log(format, args...)
		return
	}
	o.log.Log(context.Background(), level, fmt.Sprintf(format, args...))
}

// config puts the operations into the config of a provider.
func (o *serviceOperations) config(s streams, f *operationFlags, c engine.Config) engine.Config {
	c.OnExchangeDone = operations.All(o.onExchangeDone...)
	c.Models, c.Access = f.models, f.access.access(f.certificate)
	c.Refused = func(what string) { o.warn(s, "%s", what) }
	c.Limits = engine.Limits{Body: f.maxBodyMB << 20, BodyTime: f.bodyTime, JournalEntries: f.journalSize, JournalBytes: f.journalMB << 20, ScriptBytes: f.scriptsMB << 20}
	if f.ca != nil {
		c.Tunnels = tlsport.NewTunnels(f.ca.Config())
	}
	if o.fallback != nil {
		c.Fallback = o.fallback
	}
	if o.store != nil {
		c.Store, c.StoreFailed = o.store, func(err error) { o.warn(s, "%v", err) }
	}
	return c
}

// middleware is the middleware around the provider, the outermost first.
func (o *serviceOperations) middleware(f *operationFlags) []func(http.Handler) http.Handler {
	return []func(http.Handler) http.Handler{operations.Token(f.token), o.metrics.Serve}
}

// close releases the resources.
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
	if o.spans != nil {
		errs = append(errs, o.spans.Close())
	}
	return errors.Join(errs...)
}

// secured returns a listener for https if there is a certificate, and for http and https if one is
// made. It speaks HTTP/1.1 only: scenarios interrupt connections, which HTTP/2 cannot show.
func (f *operationFlags) secured(l net.Listener) (net.Listener, error) {
	secured, err := l, error(nil)
	switch {
	case f.tls:
		secured, err = f.withOwnCA(l)
	case f.cert != "":
		secured, err = f.withCertificate(l)
	}
	if err != nil {
		l.Close()
	}
	return secured, err
}

func (f *operationFlags) withOwnCA(l net.Listener) (net.Listener, error) {
	ca, err := tlsport.NewCA(time.Now())
	if err == nil && f.caFile != "" {
		err = os.WriteFile(f.caFile, ca.PEM(), 0o644)
	}
	if err != nil {
		return nil, fmt.Errorf("--tls: %w", err)
	}
	f.ca = ca
	return tlsport.Listen(l, ca.Config()), nil
}

func (f *operationFlags) withCertificate(l net.Listener) (net.Listener, error) {
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	f.certificate = &pair
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12}), nil
}

// warn logs a warning if other machines can reach the server without a token.
func (f *operationFlags) warn(v *service) {
	host, _, _ := net.SplitHostPort(v.listener.Addr().String())
	ip := net.ParseIP(host)
	if ip != nil && !ip.IsLoopback() && f.token == "" {
		v.log("warning: every client that can reach %s can read the journal and create runs; set %s", v.listener.Addr(), tokenVariable)
	}
}
