package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/loopproof/loopproof/lab/agreement"
)

// oracle is a server around the code of a real one.
type oracle struct {
	name string // a folder beside this file
	code code
	also string // what it needs besides Go and Python
	time string // how long installing and asking take, roughly

	// install makes what is needed in the workshop, and returns the command that serves at the
	// address ADDR.
	install func(context.Context, *workshop) (command, error)

	sides     []side
	templates bool // it renders templates, and stands for no profile
}

// code is what is asked.
type code struct {
	name    string // as its makers write it
	pkg     string // in its registry
	version string
}

func (c code) String() string { return c.name + " " + c.version }

// side is one path of a server, and the profile that stands for it.
type side struct {
	profile, dialect, path string

	classes    []string
	noEnvelope bool
	forms      bool // it is asked about the class form, too

	// others are paths of other versions of the code.
	others map[string]string

	// senseless is what the server says when it took a request, and then could not read what its
	// random model said.
	senseless string

	// leaveOut says why a body is not asked about, or "".
	leaveOut func(agreement.Body) string
}

const (
	chatPath     = "/v1/chat/completions"
	messagesPath = "/v1/messages"
	responsePath = "/v1/responses"
	geminiPath   = "/v1beta/models/m:generateContent"

	senseless = "The model produced output that does not match the expected"
)

func oracles() []*oracle {
	vllm := code{"vLLM", "vllm", "0.33.0"}
	mistral := code{"mistral-common", "mistral-common", "1.13.1"}
	llama := code{"llama-server of llama.cpp 0c1e570 in llama-cpp-python", "llama-cpp-python", "0.3.36"}
	return []*oracle{
		{
			name: "mistral-common", code: mistral, time: "half a minute", install: installMistralCommon,
			sides: []side{{
				profile: "mistral", dialect: "chat", path: "/v13" + chatPath, others: versions("", "v3", "v7", "v11", "v15"),
				classes: []string{"good", "pairing"}, noEnvelope: true, leaveOut: notInMistralsSchema,
			}},
		},
		{
			name: "vllm", code: vllm, time: "two minutes", install: installVLLM,
			sides: []side{
				{profile: "vllm", dialect: "chat", path: chatPath, leaveOut: withImage},
				{profile: "vllm-messages", dialect: "messages", path: messagesPath, leaveOut: withImage},
				{profile: "vllm-responses", dialect: "responses", path: responsePath, leaveOut: withImage},
				{profile: "mistral-common-v11", dialect: "chat", path: "/mistral/v11" + chatPath, leaveOut: withImage},
				{profile: "mistral-common", dialect: "chat", path: "/mistral/v13" + chatPath, others: versions("/mistral", "v3", "v7", "v11", "v15"), leaveOut: withImage},
			},
		},
		{
			name: "sglang", code: code{"SGLang", "sglang", "0.5.23"}, time: "one minute", install: installSGLang,
			sides: []side{{profile: "sglang", dialect: "chat", path: chatPath}},
		},
		{
			name: "ollama", code: code{"Ollama", "github.com/ollama/ollama", "0.32.10"}, time: "one minute", install: installGoModule,
			sides: []side{
				{profile: "ollama", dialect: "chat", path: chatPath},
				{profile: "ollama-messages", dialect: "messages", path: messagesPath},
				{profile: "ollama-responses", dialect: "responses", path: responsePath, leaveOut: ofNoStore},
				{profile: "ollama-native", dialect: "ollama-chat", path: "/api/chat", forms: true},
			},
		},
		{
			name: "gemini", code: code{"parser of protobuf 21.12 with the protos of generativelanguage v1beta in cloud.google.com/go/ai", "cloud.google.com/go/ai", "0.13.0"},
			time: "one minute", also: "a C++ compiler, pkg-config, and protobuf 21 (libprotobuf-dev of Debian 12)", install: installGemini,
			sides: []side{{profile: "gemini-3", dialect: "gemini", path: geminiPath, noEnvelope: true, others: map[string]string{"protojson": "/protojson" + geminiPath}}},
		},
		{
			name: "templates", code: code{"chat templates of llama.cpp 0c1e570 and vLLM", "", vllm.version}, time: "one minute", install: installTemplates, templates: true,
		},
		{
			name: "llama-server", code: llama, time: "an hour", also: "CMake and a C++ compiler", install: installLlamaServer,
			sides: []side{
				{profile: "llamacpp", dialect: "chat", path: chatPath, senseless: senseless, leaveOut: withImageOrLong},
				{profile: "llamacpp-messages", dialect: "messages", path: messagesPath, senseless: senseless, leaveOut: withImageOrLong},
			},
		},
	}
}

// versions returns the paths of validators of other versions.
func versions(prefix string, names ...string) map[string]string {
	paths := map[string]string{}
	for _, name := range names {
		paths[name] = prefix + "/" + name + chatPath
	}
	return paths
}

// ofNoStore leaves out what Ollama does not look at: it answers without the conversation, where the
// mock says that it has none.
func ofNoStore(b agreement.Body) string {
	if b.ID == "ids/a-response-that-is-not-stored" {
		return "it is ignored, and the conversation with it"
	}
	return ""
}

func withImage(b agreement.Body) string {
	if strings.Contains(b.ID, "image") {
		return "an image needs the processor of a model"
	}
	return ""
}

// withImageOrLong leaves out besides what a server that was built without optimisation reads for
// minutes.
func withImageOrLong(b agreement.Body) string {
	if b.ID == "tools/129" {
		return "the prompt is too long for a slow build"
	}
	return withImage(b)
}

// notInMistralsSchema leaves out what is for the schema of Mistral's API, which is not in the
// library.
func notInMistralsSchema(b agreement.Body) string {
	if b.ID == "pairing/calls-null" {
		return "the schema of the API decides it"
	}
	return ""
}

func list(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ORACLE\tCODE\tPROFILES\tTIME\tNEEDS")
	for _, o := range oracles() {
		var profiles []string
		for _, s := range o.sides {
			profiles = append(profiles, s.profile)
		}
		needs := "Python"
		if o.name == "ollama" {
			needs = "Go"
		}
		if o.also != "" {
			needs += ", " + o.also
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", o.name, o.code, strings.Join(profiles, ", "), o.time, needs)
	}
	return t.Flush()
}

// workshop is where an oracle is made.
type workshop struct {
	*options
	oracle *oracle
	dir    string // of this oracle in the cache
	source string // its folder in the repository
}

func (o *options) workshop(of *oracle) (*workshop, error) {
	dir, err := filepath.Abs(filepath.Join(o.cache, of.name))
	if err != nil {
		return nil, err
	}
	source := filepath.Join(o.source, of.name)
	if o.latest {
		dir += "-latest"
	}
	return &workshop{o, of, dir, source}, os.MkdirAll(dir, 0o755)
}

// say tells how far the work is.
func (w *workshop) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s: %s\n", w.oracle.name, fmt.Sprintf(format, args...))
}
