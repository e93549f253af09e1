package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/engine/guard"
	"github.com/loopproof/loopproof/internal/engine/serverconns"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/recording"
)

func recordCommand(s streams) *cobra.Command {
	f := &recordFlags{own: ownFolders{dialects: s.dialects}}
	cmd := &cobra.Command{
		Use:   "record --upstream URL --out FOLDER [flags]",
		Short: "Record conversations with a real provider",
		Long: `Run a proxy in front of a provider that forwards all requests and responses unchanged, and write
each conversation as a scenario with a fixture for every answer. loopproof serve replays it byte for
byte. Violations are logged as they happen.

API keys are removed before anything is written, and so are the values of the fields that --redact
names, in JSON and in strings that contain JSON.`,
		Example: `  loopproof record --upstream https://api.openai.com --out recordings
  loopproof record --upstream https://api.anthropic.com --out recordings --redact email --redact customer_id
  loopproof record --upstream https://generativelanguage.googleapis.com --out recordings
  OPENAI_BASE_URL=http://127.0.0.1:8080/v1 my-agent "What is the weather in Oslo?"
  loopproof serve --scenario recordings`,
		Args: noArguments("--upstream"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r := &recordingService{streams: s, flags: f, grace: shutdownTime}
			return r.run(cmd.Context())
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&f.upstream, "upstream", "", "the `URL` of the provider, with or without /v1")
	set.StringVar(&f.out, "out", "", "the `folder` to write the scenarios into")
	set.StringVar(&f.addr, "addr", "127.0.0.1:8080", "the address to listen on, as `HOST:PORT`; port 0 selects a free port")
	set.StringArrayVar(&f.redact, "redact", nil, "remove the values of this `field`; repeatable")
	set.StringArrayVar(&f.profiles, "profile", nil, "judge requests by this `profile`; repeatable, one for each dialect")
	registerBodyTime(set, &f.bodyTime)
	f.access.register(set)
	f.own.registerProfiles(set)
	return cmd
}

// recordFlags are the flags of record.
type recordFlags struct {
	upstream, out, addr string
	redact, profiles    []string
	bodyTime            time.Duration
	access              accessFlags
	own                 ownFolders
}

// recordingService runs a recorder.
type recordingService struct {
	streams
	flags   *recordFlags
	written writtenScenarios

	duplicates int // recordings with the same content as others

	grace time.Duration // the timeout for unfinished responses at the end
}

func (r *recordingService) run(ctx context.Context) error {
	config, err := r.config()
	if err != nil {
		return err
	}
	recorder, err := recording.New(config)
	if err != nil {
		return err
	}
	listener, err := listenOn(r.flags.addr)
	if err != nil {
		recorder.Close()
		return err
	}
	var serving sync.RWMutex // locked for reading by each request
	guarded := r.guarded(recorder, listener.Addr())
	server := serverconns.New(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		serving.RLock()
		defer serving.RUnlock()
		guarded.ServeHTTP(w, req)
	}), r.flags.bodyTime)
	served := make(chan struct{})
	go func() {
		defer close(served)
		server.Serve(serverconns.Listen(listener)) // returns when it is shut down
	}()
	err = r.ready(listener.Addr(), config.Profiles)
	if err == nil {
		<-ctx.Done()
	}
	ending, cancel := context.WithTimeout(context.Background(), r.grace)
	defer cancel()
	if server.Shutdown(ending) != nil {
		r.log("answers that are not complete %v after the interrupt are cut off, and not recorded", r.grace)
		server.Close()
	}
	<-served
	serving.Lock() // what was cut off is told before the end
	defer serving.Unlock()
	return errors.Join(err, recorder.Close(), r.farewell())
}

// guarded refuses requests of pages of other sites: what they send would reach the provider, which
// may be one that only this machine reaches.
func (r *recordingService) guarded(recorder *recording.Recorder, listensOn net.Addr) http.Handler {
	g, told := guard.New(r.flags.access.access(nil)), &guard.Told{}
	g.ListensOn(listensOn)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := g.Calls(req); err != nil {
			told.Once(err.Error(), func(why string) { r.log("refused a request: %s", why) })
			recorder.Refuse(w, req, http.StatusForbidden, err)
			return
		}
		if !g.Share(w, req) {
			recorder.ServeHTTP(w, req)
		}
	})
}

func (r *recordingService) config() (recording.Config, error) {
	c := recording.Config{Upstream: r.flags.upstream, Dir: r.flags.out, Redact: r.flags.redact, Seen: r.seen, Merged: r.merged}
	c.Failed, c.Noted = func(err error) { r.log("%v", err) }, func(note string) { r.log("%s", note) }
	switch {
	case r.flags.upstream == "":
		return c, errors.New("--upstream is missing: the URL of the provider, such as https://api.openai.com")
	case r.flags.out == "":
		return c, errors.New("--out is missing: the folder for the scenarios")
	}
	if err := errors.Join(checkBodyTime(r.flags.bodyTime), r.flags.access.check()); err != nil {
		return c, err
	}
	var err error
	c.Profiles, err = r.flags.own.named(r.flags.profiles)
	return c, err
}

// ready prints where the recorder listens, as one line of JSON.
func (r *recordingService) ready(at net.Addr, judging []*profiles.Profile) error {
	base := baseURL(at.String())
	return json.NewEncoder(r.out).Encode(struct {
		BaseURL       string `json:"base_url"`
		OpenAIBaseURL string `json:"openai_base_url"`
		Upstream      string `json:"upstream"`
		Out           string `json:"out"`
		Version       string `json:"version"`
		PID           int    `json:"pid"`

		SDKBaseURLs map[string]string `json:"sdk_base_urls"`
	}{base, base + "/v1", r.flags.upstream, r.flags.out, loopproof.Version, os.Getpid(), sdkBaseURLs(base, profiles.Spoken(judging))})
}

// seen logs an exchange, and each rule that it breaks: once in a conversation, since every later
// history has the violation.
func (r *recordingService) seen(x recording.Exchange) {
	written := r.written.named(x.Scenario)
	written.steps, written.profiles = x.Step, []string{x.Profile.Name}
	r.log("request %d, %s step %d: %s (%d, %s in %s, %v)", x.Number, x.Scenario, x.Step, x.Said, x.Status,
		count(x.Bytes, "byte"), count(x.Pieces, "piece"), x.Took.Round(time.Millisecond))
	for _, f := range x.Findings {
		if !written.told[f.Rule] {
			written.told[f.Rule] = true
			r.log("request %d breaks %s (%s): %s", x.Number, f.Rule, f.Level, f.Message)
		}
	}
}

// merged logs a recording that is not kept, since its content is that of another one.
func (r *recordingService) merged(name, same string) {
	r.log("%s has the same content as %s and is not kept", name, same)
	r.written.drop(name)
	r.duplicates++
}

// farewell logs what was recorded and how to replay it.
func (r *recordingService) farewell() error {
	if len(r.written.order) == 0 && r.duplicates > 0 {
		r.log("nothing new was recorded")
		return nil
	}
	if len(r.written.order) == 0 {
		return errors.New("there was no conversation, so nothing was recorded")
	}
	r.log("%s in %s:", count(len(r.written.order), "conversation"), r.flags.out)
	for _, name := range r.written.order {
		file, written := filepath.Join(r.flags.out, name+".yaml"), r.written.known[name]
		r.log("  %s; to replay: %s", count(written.steps, "step"), replaying(file, written.profiles, &r.flags.own))
	}
	return nil
}

// replaying returns the command that serves a file or a folder whose scenarios are played under
// these profiles.
func replaying(place string, played []string, own *ownFolders) string {
	args := []string{"loopproof", "serve", "--scenario", place}
	if slices.ContainsFunc(played, func(name string) bool { return !slices.Contains(servedProfiles(), name) }) {
		for _, name := range played {
			args = append(args, "--profile", name)
		}
	}
	if own.profiles != "" {
		args = append(args, "--profiles", own.profiles)
	}
	return quoted(args)
}
