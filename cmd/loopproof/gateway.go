package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
)

// gatewayRun judges a gateway: the reference loop asks it, and its upstream is the mock provider.
type gatewayRun struct {
	*runFlags
	url      string
	upstream string
	keyEnv   string
	model    string
	speaks   string
	headers  []string

	current atomic.Pointer[url.URL] // the mock provider of the case that is played
}

func gatewayCommand(s streams) *cobra.Command {
	g := &gatewayRun{runFlags: &runFlags{own: ownFolders{dialects: s.dialects}}}
	cmd := &cobra.Command{
		Use:   "gateway URL --upstream-addr HOST:PORT [flags] [-- COMMAND ARGS...]",
		Short: "Test a gateway between a correct loop and a strict provider",
		Long: `Play every conversation with the built-in reference loop, which is correct, over a gateway whose
upstream is the mock provider, and judge what arrives there and what comes back: what a correct loop
keeps must stay kept.

Tell the gateway that its provider is at the --upstream-addr, such as http://127.0.0.1:9900/v1, and
that it shall pass the model loopproof on. COMMAND starts the gateway, and is ended afterwards; without
it, the gateway runs already. Cases are played one after the other, since a gateway has one upstream.
The flags are those of loopproof run.`,
		Example: `  loopproof gateway http://127.0.0.1:4000 --upstream-addr 127.0.0.1:9900 --profile openai --quick
  loopproof gateway http://127.0.0.1:4000 --upstream-addr 127.0.0.1:9900 --profile openai -- litellm --config config.yaml
  loopproof gateway http://127.0.0.1:4000 --upstream-addr 127.0.0.1:9900 --profile anthropic --speaks chat`,
		Args: func(cmd *cobra.Command, args []string) error {
			if dash := cmd.ArgsLenAtDash(); len(args) == 0 || dash == 0 || dash < 0 && len(args) > 1 || dash > 1 {
				return errors.New("name the gateway, as in: loopproof gateway http://127.0.0.1:4000 --upstream-addr 127.0.0.1:9900")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			place, err := serverURL(args[0])
			if err != nil {
				return err
			}
			g.url = place
			return g.run(cmd.Context(), s, args[1:])
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&g.upstream, "upstream-addr", "", "where the gateway finds its provider, as `HOST:PORT`")
	set.StringVar(&g.keyEnv, "key-env", "", "the environment `variable` with the API key for the gateway")
	set.StringVar(&g.model, "model", "", "the `name` of the model that the loop asks the gateway for (default: that of the task)")
	set.StringVar(&g.speaks, "speaks", "", "the `wire API` in which the loop asks the gateway, which translates it (default: that of the provider)")
	set.StringArrayVar(&g.headers, "header", nil, "a `header` of each request to the gateway, as NAME: VALUE; repeatable")
	g.register(set)
	for _, name := range []string{"runner", "agent", "feature", "takes", "design", "answer-tool", "no-executions", "workers"} {
		set.MarkHidden(name)
	}
	return completeLists(cmd, &g.own)
}

func (g *gatewayRun) run(ctx context.Context, s streams, command []string) error {
	if g.upstream == "" {
		return errors.New("--upstream-addr is missing: where the gateway finds its provider, such as 127.0.0.1:9900")
	}
	if g.runner != "adapter" || g.agent != "" || g.workers > 1 {
		return errors.New("the loop before a gateway is the built-in one, and plays one case after the other: --runner, --agent and --workers are of loopproof run")
	}
	config, _, err := g.config(nil)
	if err != nil {
		return err
	}
	if err := g.put(&config); err != nil {
		return err
	}
	config.Hooks.Reproduce = func(caseID string, seed uint64) string {
		return g.again(command, append(g.args(), "--case", caseID, "--seed", fmt.Sprint(seed))...)
	}
	known, err := g.expectations()
	if err != nil {
		return err
	}
	listener, err := listenOn(g.upstream)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "the gateway's provider is at http://%s\n", listener.Addr())
	server := &http.Server{Handler: g.proxy()}
	go server.Serve(listener) // returns when it is closed
	defer server.Close()
	stop, err := g.start(ctx, s, command)
	if err != nil {
		return err
	}
	defer stop()
	r := &loopRun{streams: s, flags: g.runFlags, config: config, known: known}
	return r.run(ctx, []string{g.url})
}

// args returns the command and its own flags again, as they were given.
func (g *gatewayRun) args() []string {
	args := []string{"gateway", g.url, "--upstream-addr", g.upstream}
	for _, h := range g.headers {
		args = append(args, "--header", h)
	}
	for _, flag := range [][2]string{{"--key-env", g.keyEnv}, {"--model", g.model}, {"--speaks", g.speaks}} {
		if flag[1] != "" {
			args = append(args, flag[0], flag[1])
		}
	}
	return args
}

// put puts the reference loop before the gateway into a config.
func (g *gatewayRun) put(c *runner.Config) error {
	asks, err := g.transport()
	if err != nil {
		return err
	}
	loop := refloop.Loop{Client: &http.Client{Transport: asks}, Backoff: referenceBackoff}
	basePath := func(name string) string { return dialect.Named(name).Endpoint.BasePath }
	if g.speaks != "" {
		if dialect.Named(g.speaks) == nil {
			return oneOf("speaks", g.speaks, dialect.Names(dialect.Known()))
		}
		loop.Dialect = refloop.DialectOf(protocol.Task{Dialect: g.speaks})
	}
	key, err := keyIn(g.keyEnv)
	if err != nil {
		return err
	}
	c.Loop = loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
		provider, err := url.Parse(strings.TrimSuffix(task.BaseURL, basePath(task.Dialect)))
		if err != nil {
			return protocol.Outcome{}, err
		}
		g.current.Store(provider)
		spoken := task.Dialect
		if g.speaks != "" {
			spoken = g.speaks
		}
		task.BaseURL = strings.TrimSuffix(g.url, "/") + basePath(spoken)
		if key != "" {
			task.APIKey = key
		}
		if g.model != "" {
			task.Model = g.model
		}
		return loop.Run(ctx, task), nil
	})
	c.Listen, c.Workers = nil, 1
	c.Name, c.Version = "gateway at "+g.url, loopproof.Version
	c.Claims.Features = g.claims()
	return nil
}

// claims are what the loop claims. One that speaks another wire API than the provider cannot ask for
// what that provider alone runs.
func (g *gatewayRun) claims() []protocol.Feature {
	without := []protocol.Feature{protocol.SecondAPI, protocol.Sockets}
	if g.speaks != "" {
		without = append(without, protocol.ServerTools, protocol.ServerCompaction, protocol.ProgrammaticTools, protocol.Approvals, protocol.CustomTools)
	}
	return claims.Without(without...)
}

// transport adds the headers to each request to the gateway. The requests that run tools have none of
// them.
func (g *gatewayRun) transport() (http.RoundTripper, error) {
	gateway, err := url.Parse(g.url)
	if err != nil {
		return nil, err
	}
	more := http.Header{}
	for _, h := range g.headers {
		name, value, ok := strings.Cut(h, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("--header must be NAME: VALUE, not %q", h)
		}
		more.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return headersTo{gateway.Host, more}, nil
}

// headersTo adds headers to requests to a host.
type headersTo struct {
	host string
	more http.Header
}

func (t headersTo) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host == t.host && len(t.more) > 0 {
		req = req.Clone(req.Context())
		for name, values := range t.more {
			req.Header[name] = values
		}
	}
	return http.DefaultTransport.RoundTrip(req)
}

// proxy passes what the gateway asks its provider on to the mock provider of the case.
func (g *gatewayRun) proxy() http.Handler {
	forward := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			provider := g.current.Load()
			r.Out.URL.Scheme, r.Out.URL.Host = provider.Scheme, provider.Host
			r.Out.URL.Path, r.Out.URL.RawPath = provider.Path+r.In.URL.Path, ""
			r.Out.Host = ""
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { panic(http.ErrAbortHandler) }, // as the provider broke off
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if g.current.Load() == nil {
			http.Error(w, "no case is played yet", http.StatusServiceUnavailable)
			return
		}
		// All of the body is read first: what is still read of it when the answer begins, breaks the
		// answer off.
		body, err := io.ReadAll(req.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		forward.ServeHTTP(w, req)
	})
}

// start starts the gateway, and waits until it takes connections. stop ends it.
func (g *gatewayRun) start(ctx context.Context, s streams, command []string) (stop func(), err error) {
	place, err := url.Parse(g.url)
	if err != nil {
		return nil, err
	}
	stop, ended := func() {}, make(chan error, 1)
	if len(command) > 0 {
		ctx, cancel := context.WithCancel(ctx)
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Stdout, cmd.Stderr = s.err, s.err
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = 5 * time.Second
		if err := cmd.Start(); err != nil {
			cancel()
			return nil, fmt.Errorf("the gateway cannot be started: %w", err)
		}
		waited := make(chan struct{})
		go func() {
			ended <- cmd.Wait()
			close(waited)
		}()
		stop = func() {
			cancel()
			<-waited
		}
	}
	for deadline := time.Now().Add(g.startTimeout); ; {
		conn, err := net.DialTimeout("tcp", place.Host, time.Second)
		if err == nil {
			return stop, conn.Close()
		}
		select {
		case cause := <-ended:
			return nil, fmt.Errorf("the gateway ended before it took connections at %s: %v", place.Host, cause)
		case <-time.After(100 * time.Millisecond):
		}
		if ctx.Err() != nil || len(command) == 0 || time.Now().After(deadline) {
			stop()
			return nil, fmt.Errorf("no gateway takes connections at %s: %w", place.Host, err)
		}
	}
}
