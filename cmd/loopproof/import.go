package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/importing/cassettes"
	"github.com/loopproof/loopproof/internal/importing/stubs"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/recording"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

func importCommand(s streams) *cobra.Command {
	f := &importFlags{own: ownFolders{dialects: s.dialects}}
	cmd := &cobra.Command{
		Use:   "import --out FOLDER FILE|FOLDER... [flags]",
		Short: "Make scenarios of the files of other tools: HAR, VCR, nock, aimock, WireMock",
		Long: `Make scenarios of HTTP exchanges with a provider that another tool has recorded: HAR files, and the
cassettes of vcrpy, VCR for Ruby, go-vcr and nock. Each conversation becomes a scenario with a
fixture for every answer, as with loopproof record. loopproof serve replays it byte for byte.

Fixtures of aimock and stub mappings of WireMock become scripts: answers with conditions. All
mappings of one command belong to one server of WireMock.

The content of a file says which tool it is of. Of a folder, all .json, .yaml, .yml and .har files
are read, those in its subfolders last. API keys are removed before anything is written. What cannot
be imported is listed, and so is what is not the same.`,
		Example: `  loopproof import --out scripts tests/cassettes/*.yaml
  loopproof import --out scripts fixtures                # of aimock
  loopproof import --out scripts src/test/resources      # with mappings and __files of WireMock
  loopproof import --out scripts --redact email api.har
  loopproof serve --scenario scripts`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the files, as in: loopproof import --out scripts cassette.yaml")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			i := &importing{streams: s, flags: f}
			return i.run(args)
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&f.out, "out", "", "the `folder` to write the scenarios into")
	set.StringArrayVar(&f.redact, "redact", nil, "remove the values of this `field`; repeatable")
	set.StringArrayVar(&f.profiles, "profile", nil, "judge requests by this `profile`, or serve scripts by it; repeatable, one for each dialect")
	f.own.registerProfiles(set)
	return cmd
}

// importFlags are the flags of import.
type importFlags struct {
	out              string
	redact, profiles []string
	own              ownFolders
}

// importing is one run of import.
type importing struct {
	streams
	flags    *importFlags
	profiles []*profiles.Profile

	mu      sync.Mutex // the recorder reports from a goroutine of its own
	skipped int
	differs int
	written writtenScenarios

	before     []string // names in the folder before, nil if there was no folder
	duplicates int      // conversations with the same content as others

	stubs      stubFiles
	vocabulary scenarios.Vocabulary
}

func (i *importing) run(files []string) error {
	if i.flags.out == "" {
		return errors.New("--out is missing: the folder for the scenarios")
	}
	var err error
	if i.profiles, err = i.flags.own.named(i.flags.profiles); err != nil {
		return err
	}
	sources, err := sourcesOf(files)
	if err != nil {
		return err
	}
	i.before = namesIn(i.flags.out)
	for _, file := range sources {
		if err := i.file(file); err != nil {
			return err
		}
	}
	conversations := len(i.written.order)
	if err := i.writeStubs(); err != nil {
		return err
	}
	if len(i.written.order) == 0 && i.duplicates > 0 {
		fmt.Fprintln(i.out, "nothing new was imported")
		return nil
	}
	if len(i.written.order) == 0 {
		i.leaveNothing()
		return errors.New("there was no answer of a model in it that can be played, so nothing was written")
	}
	return i.sum(conversations)
}

// namesIn returns what is in a folder, or nil if there is no folder.
func namesIn(folder string) []string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	names := []string{}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// leaveNothing removes what the recorder writes into each folder, where no recording is beside it.
func (i *importing) leaveNothing() {
	if !slices.Contains(i.before, recording.Attributes) {
		os.Remove(filepath.Join(i.flags.out, recording.Attributes))
	}
	if i.before == nil {
		os.Remove(i.flags.out) // unless something is in it
	}
}

// sum says what was written.
func (i *importing) sum(conversations int) error {
	var written []string
	if conversations > 0 {
		written = append(written, count(conversations, "conversation"))
	}
	if scripts := len(i.written.order) - conversations; scripts > 0 {
		written = append(written, count(scripts, "script"))
	}
	fmt.Fprintf(i.out, "%s in %s", strings.Join(written, " and "), i.flags.out)
	if i.skipped > 0 {
		fmt.Fprintf(i.out, ", %s not carried over", counted(i.skipped, "entry", "entries"))
	}
	if i.differs > 0 {
		fmt.Fprintf(i.out, ", %s", count(i.differs, "difference"))
	}
	fmt.Fprintln(i.out)
	for _, name := range i.written.order {
		fmt.Fprintf(i.out, "  %s, %s\n", filepath.Join(i.flags.out, name+".yaml"), count(i.written.known[name].steps, "step"))
	}
	fmt.Fprintf(i.out, "to replay: %s\n", replaying(i.flags.out, i.written.profiles(), &i.flags.own))
	return nil
}

// maxRecording is the size of the largest recording that is read, in megabytes. A browser writes
// all that a page has loaded into a HAR file, and a test all its requests with their histories into
// a cassette.
const maxRecording = 64

// file imports one file.
func (i *importing) file(from source) error {
	if err := from.check(); err != nil {
		i.skip(from.name, err.Error())
		return nil
	}
	data, err := readUpTo(from.name, maxRecording)
	if err != nil {
		return err
	}
	if root, err := wire.ParseNode(data); err == nil {
		switch {
		case stubs.IsAimock(root), stubs.IsWireMock(root):
			i.stubs.add(from.name, root)
			return nil
		case stubs.IsAimockConfig(root):
			i.skip(from.name, "it is a configuration of aimock; import the files of fixtures that it names")
			return nil
		}
	}
	if err := i.recording(from, data); err != nil {
		return fmt.Errorf("%s: %w", from.name, err)
	}
	return nil
}

// recording imports one recording. The exchanges with each host are replayed through a recorder.
func (i *importing) recording(from source, data []byte) error {
	name := from.name
	all, skipped, err := cassettes.Read(data)
	if err != nil && from.folder != "" {
		i.skip(name, err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	for _, s := range skipped {
		i.skip(name+" "+s.Place, s.Why)
	}
	byHost := map[string][]cassettes.Exchange{}
	var hosts []string
	for _, x := range all {
		if !i.isTurn(x) {
			i.skip(name+" "+x.Place, x.Method+" "+x.URL.Path+" does not ask a model for a turn")
			continue
		}
		host := x.URL.Scheme + "://" + x.URL.Host
		if byHost[host] == nil {
			hosts = append(hosts, host)
		}
		byHost[host] = append(byHost[host], x)
	}
	for _, host := range hosts {
		if err := i.replay(name, host, byHost[host]); err != nil {
			return err
		}
	}
	return nil
}

// isTurn reports whether an exchange is a turn of a model.
func (i *importing) isTurn(x cassettes.Exchange) bool {
	return x.Method == http.MethodPost && slices.ContainsFunc(profiles.Spoken(i.profiles), func(d *wire.Dialect) bool { return d.Endpoint.Has(x.URL.Path) })
}

func (i *importing) skip(what, why string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.skipped++
	fmt.Fprintf(i.err, "%s is not carried over: %s\n", what, why)
}

func (i *importing) note(format string, args ...any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	fmt.Fprintf(i.err, format+"\n", args...)
}

// replay records the exchanges with one host again, through a recorder whose provider is the file.
func (i *importing) replay(file, host string, all []cassettes.Exchange) error {
	tape := &tape{}
	recorder, err := recording.New(recording.Config{
		Upstream: host, Source: filepath.Base(file), Dir: i.flags.out, Redact: i.flags.redact, Profiles: i.profiles, Transport: tape,
		Seen: i.seen, Merged: i.merged,
		Unplayable: func(name string, err error) { i.unplayable(file, name, err) },
		Failed:     func(err error) { i.skip("an exchange of "+file, err.Error()) },
		Noted:      func(note string) { i.note("%s", note) },
	})
	if err != nil {
		return err
	}
	for at := range all {
		x := &all[at]
		request, err := http.NewRequest(x.Method, x.URL.RequestURI(), bytes.NewReader(x.Request))
		if err != nil {
			i.skip(file+" "+x.Place, err.Error())
			continue
		}
		tape.current = x
		recorder.ServeHTTP(discard{}, request)
	}
	return recorder.Close()
}

func (i *importing) seen(x recording.Exchange) {
	i.mu.Lock()
	defer i.mu.Unlock()
	written := i.written.named(x.Scenario)
	written.steps, written.profiles = x.Step, []string{x.Profile.Name}
}

// unplayable tells of a conversation that no scenario can say.
func (i *importing) unplayable(file, name string, err error) {
	i.skip("the conversation "+name+" of "+file, messageOf(err))
	i.mu.Lock()
	defer i.mu.Unlock()
	i.written.drop(name)
}

func (i *importing) merged(name, same string) {
	i.note("%s has the same content as %s and is not kept", name, same)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.duplicates++
	i.written.drop(name)
}

// tape answers a request with the response that was recorded.
type tape struct{ current *cassettes.Exchange }

// RoundTrip returns the recorded response.
func (t *tape) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: t.current.Status, Header: t.current.Header.Clone(), Request: r, ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(bytes.NewReader(t.current.Response)), ContentLength: int64(len(t.current.Response)),
	}, nil
}

// discard is a client that does not look at the response.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}
