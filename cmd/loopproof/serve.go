package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/endpoints"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/mockprovider/schemas"
	"github.com/loopproof/loopproof/report"
)

func serveCommand(s streams) *cobra.Command {
	f := &serveFlags{own: ownFolders{dialects: s.dialects}}
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Run the mock provider",
		Long: `Run the mock provider until it is interrupted, and answer requests from scenarios. When the server
is ready, it prints its URLs: on a terminal in lines for people, elsewhere, and with --json, in one
line of JSON on standard output. A request that the real
provider would refuse is refused with the same status and message; all violations are listed on
standard error at the end. A live page under /loopproof/ shows all conversations; docs/journal.md
describes how to query them and to assert over HTTP.

Every flag can also be set by a variable, LOOPPROOF_ and its name, as in LOOPPROOF_SCENARIO=scripts
or LOOPPROOF_JOURNAL_MB=64, and in a file (--config).

All APIs are played on one port, on the paths of the providers, whatever stands before them:
/v1/chat/completions and /api/paas/v4/chat/completions are the same.

The first prompt of a request selects the scenario; a single scenario answers every request, unless
it is a recording. The history in the request selects the step. A scenario without a prompt is a
script for an application: the first step whose ` + "`when`" + ` matches answers, any number of
times. If no step matches, the error says why. docs/serve.md describes how to write scripts and how
to isolate tests.`,
		Example: `  loopproof serve --scenario pairing/parallel-results
  loopproof serve --addr 127.0.0.1:0 --profile deepseek --scenario my-scenarios
  loopproof serve --scenario checkout.yaml --fail-on-violation --report loopproof-report
  loopproof serve --scenario scripts --profile azure --profile vertex
  loopproof serve --scenario scripts --behaviour "first-token: 300ms, tokens-per-second: 50"
  loopproof serve --scenario scripts --behaviour "faults: [{rate: 5%, status: 503}], seed: 7"
  loopproof serve --scenario scripts --behaviour "rate-limit: {requests: 60, per: 1m}"
  loopproof serve -p 9000 --scenario scripts --watch --log text
  loopproof serve --config serve.yaml
  loopproof serve --scenario scripts --tls --ca-file ca.pem   # HTTPS_PROXY=http://127.0.0.1:8080 SSL_CERT_FILE=ca.pem
  loopproof serve --scenario scripts --fallback https://api.openai.com --record recordings`,
		Args: noArguments("--scenario"),
		RunE: f.start(s),
	}
	f.register(cmd)
	return cmd
}

// start returns what runs the server until it is interrupted.
func (f *serveFlags) start(s streams) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		addr, warnings, err := applyAddress(cmd.Flags(), os.Environ())
		for _, warning := range warnings {
			s.log("warning: %s", warning)
		}
		if err != nil {
			return err
		}
		f.addr = addr
		v, err := f.open(s)
		if err != nil {
			return err
		}
		return v.run(f.untilStdinEnds(cmd.Context()))
	}
}

// register registers all flags.
func (f *serveFlags) register(cmd *cobra.Command) {
	set := cmd.Flags()
	set.SortFlags = false
	f.registerAddress(set)
	set.StringArrayVar(&f.profiles, "profile", nil, "the `profile` of the provider; repeatable, one for each dialect, and others below a prefix or for some models, as in deepseek@/deepseek or deepseek@model:deepseek-* (default "+list(servedProfiles())+")")
	f.own.registerProfiles(set)
	set.StringArrayVar(&f.scenarios, "scenario", nil, "play the scenarios of this `id, file or folder`; repeatable")
	set.StringArrayVar(&f.endpoints, "endpoints", nil, "answer the paths that this `file` names, besides those of the APIs; repeatable")
	set.StringVar(&f.behaviour, "behaviour", "", "speed, faults and rate limits of the provider: `keys or a file`, as in \"first-token: 300ms, tokens-per-second: 50\"")
	set.BoolVar(&f.lenient, "lenient", false, "answer requests that the real provider would refuse, and only record the violation")
	set.BoolVar(&f.failOnViolation, "fail-on-violation", false, "exit with 1 if a request violated a MUST rule, and with 2 if there was no request")
	set.BoolVar(&f.requireRequests, "require-requests", false, "exit with 2 if there was no request")
	set.StringVar(&f.report, "report", "", "at the end, write report.json, junit.xml, report.html and more into this `folder`")
	set.BoolVar(&f.json, "json", false, "print the URLs as one line of JSON on a terminal, too")
	set.BoolVar(&f.exitWithStdin, "exit-with-stdin", false, "also end when standard input ends, as it does when the program that started the server ends or is killed")
	f.operations.register(set)
	registerConfig(set)
	cmd.RegisterFlagCompletionFunc("profile", completing(&f.own, "profiles")) // --scenario takes files, too
}

// registerAddress registers the flags that say where the server listens.
func (f *serveFlags) registerAddress(set *pflag.FlagSet) {
	set.StringVar(&f.addr, "addr", "127.0.0.1:8080", "the address to listen on, as `HOST:PORT`; port 0 selects a free port")
	set.IntP("port", "p", 0, "another `port` than that of --addr")
}

// applyAddress sets the flags of serve as [applySettings] does, and returns the address to listen
// on.
func applyAddress(set *pflag.FlagSet, environment []string) (addr string, warnings []string, err error) {
	port := set.Lookup("port")
	whole := set.Lookup("addr").Changed && !port.Changed // the command line says all of it
	warnings, err = applySettings(set, environment)
	addr = set.Lookup("addr").Value.String()
	if whole || !port.Changed {
		return addr, warnings, err
	}
	host, _, bad := net.SplitHostPort(addr)
	if bad != nil { // there is only a host
		host = strings.Trim(addr, "[]")
	}
	return net.JoinHostPort(host, port.Value.String()), warnings, err
}

// servedProfiles are the profiles that are played where none is named: one of each API.
func servedProfiles() []string {
	var names []string
	for _, d := range dialect.All() {
		names = append(names, d.Standard)
	}
	return names
}

// serveFlags are the flags of serve.
type serveFlags struct {
	addr, behaviour          string
	profiles, scenarios      []string
	endpoints                []string // files
	lenient, failOnViolation bool
	requireRequests          bool
	exitWithStdin, json      bool
	exercises                bool // play those of the command try
	report                   string
	operations               operationFlags
	own                      ownFolders // only profiles: --scenario takes files and folders
}

// untilStdinEnds returns a context that also ends with standard input, where that is wanted.
func (f *serveFlags) untilStdinEnds(ctx context.Context) context.Context {
	if !f.exitWithStdin {
		return ctx
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		io.Copy(io.Discard, os.Stdin) // an error, too, means that nobody is there
	}()
	return ctx
}

// service is a mock provider that is ready to listen.
type service struct {
	streams
	flags     *serveFlags
	profile   *profiles.Profile
	others    []*profiles.Profile // of other dialects
	routes    []engine.Route      // profiles that are played for some requests
	behaviour *scenarios.Behaviour
	known     profiles.Known
	scenarios []*scenarios.Scenario // that are played
	beside    []string              // files that the scenarios name
	endpoints []endpoints.Endpoint
	listener  net.Listener

	operations *serviceOperations
}

func (f *serveFlags) open(s streams) (*service, error) {
	if err := f.operations.check(); err != nil {
		return nil, err
	}
	go rulebook.Book() // takes as long as the profiles, which are read meanwhile
	_, known, err := f.own.readProfiles()
	if err != nil {
		return nil, err
	}
	names, routes, err := profileRoutes(known, f.profiles)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = servedProfiles()
	}
	played, err := playedProfiles(known, names, ", or play one below a prefix or for some models: --profile NAME@/NAME or NAME@model:NAME-*")
	if err != nil {
		return nil, err
	}
	profile := played[0]
	v := &service{streams: s, flags: f, profile: profile, others: played[1:], routes: routes, known: known}
	if v.behaviour, err = readBehaviour(f.behaviour); err != nil {
		return nil, err
	}
	if err := v.load(); err != nil {
		return nil, err
	}
	if v.endpoints, err = readEndpoints(f.endpoints); err != nil {
		return nil, err
	}
	if f.report != "" {
		if err := report.PrepareDir(f.report); err != nil {
			return nil, err
		}
	}
	if v.listener, err = listenOn(f.addr); err != nil {
		return nil, err
	}
	if v.listener, err = f.operations.secured(v.listener); err != nil {
		return nil, err
	}
	if v.operations, err = f.operations.open(s, played); err != nil {
		v.listener.Close()
	}
	return v, err
}

// readEndpoints reads the files of --endpoints.
func readEndpoints(files []string) (all []endpoints.Endpoint, err error) {
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--endpoints: %w", err)
		}
		read, err := endpoints.Parse(file, data)
		if err != nil {
			return nil, err
		}
		all = append(all, read...)
	}
	return all, nil
}

func listenOn(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another address with --addr, such as 127.0.0.1:0 for a free port", err)
	}
	return l, nil
}

// run serves until the context ends, and then reports the violations.
func (v *service) run(ctx context.Context) error {
	f, o := &v.flags.operations, v.operations
	provider := engine.New(o.config(v.streams, f, engine.Config{
		Profile: v.profile, ExtraProfiles: v.others, Routes: v.routes, Scenarios: v.scenarios, Lenient: v.flags.lenient, Behaviour: v.behaviour, Endpoints: v.endpoints,
		Library: catalog.Library{}, Profiles: v.known.Own, Schema: schemas.Check, ToolServer: toolserver.ForRun, MCPServers: toolserver.ForScript,
	}))
	seen := newWatcher(v)
	provider.Watch(seen.see)
	server := engine.Serve(v.listener, provider, o.middleware(f)...)
	err := v.serve(ctx, provider)
	ending, cancel := context.WithTimeout(context.Background(), f.grace)
	defer cancel()
	server.Shutdown(ending) // what is not finished by then is cut off
	if err := errors.Join(err, o.close()); err != nil {
		return err
	}
	return seen.verdict()
}

// serve prints where the provider listens, and returns when the context ends.
func (v *service) serve(ctx context.Context, provider *engine.Provider) error {
	if v.flags.operations.watch {
		w, err := v.watch(provider)
		if err != nil {
			return fmt.Errorf("--watch: %w", err)
		}
		defer w.Close()
	}
	v.flags.operations.warn(v)
	if err := v.ready(); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
