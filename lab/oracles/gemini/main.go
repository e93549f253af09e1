// What reads the JSON of requests to generateContent: the protos that Google publishes, and the
// parser that protobuf had before version 22, as a program of its own. Under /protojson, today's
// parser in Go reads them instead, which refuses more: one value for a list of one, words of enums
// in small letters, and texts for flags. What the API checks beyond that, such as the order of
// contents, nobody has published. The arguments are the address to listen on and the program; with
// one argument, this one writes the descriptors of the protos to that file.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strings"

	pb "cloud.google.com/go/ai/generativelanguage/apiv1beta/generativelanguagepb"
	"google.golang.org/protobuf/encoding/protojson"
)

func main() {
	switch len(os.Args) {
	case 2:
		if err := os.WriteFile(os.Args[1], descriptors(), 0o644); err != nil {
			log.Fatal(err)
		}
	case 4:
		parser, err := start(os.Args[2], os.Args[3])
		if err != nil {
			log.Fatal(err)
		}
		http.HandleFunc("POST /v1beta/models/", answer(func(body []byte) (string, error) {
			problem, err := parser.read(body)
			return inWordsOfTheAPI(problem), err
		}))
		http.HandleFunc("POST /protojson/v1beta/models/", answer(protoJSON))
		log.Fatal(http.ListenAndServe(os.Args[1], nil))
	default:
		log.Fatalf("usage: %s HOST:PORT PARSER DESCRIPTORS, or %[1]s DESCRIPTORS", os.Args[0])
	}
}

func protoJSON(body []byte) (string, error) {
	if err := protojson.Unmarshal(body, new(pb.GenerateContentRequest)); err != nil {
		return strings.ReplaceAll(err.Error(), "\u00a0", " "), nil // spaces differ from build to build
	}
	return "", nil
}

func answer(read func([]byte) (problem string, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		problem, err := read(body)
		if err != nil {
			log.Fatal(err)
		}
		w.Header().Set("Content-Type", "application/json")
		if problem != "" {
			w.WriteHeader(http.StatusBadRequest)
			json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": http.StatusBadRequest, "message": problem, "status": "INVALID_ARGUMENT"}})
			return
		}
		io.WriteString(w, `{"candidates":[{"content":{"role":"model","parts":[{"text":"fine"}]},"finishReason":"STOP"}]}`)
	}
}

var (
	wrongName  = regexp.MustCompile(`(?s)^(?:\(([^()]*)\) )?(.*): ([A-Z][^:]*)$`)
	wrongValue = regexp.MustCompile(`(?s)^(?:\(([^()]*)\))?: invalid value (.*) for type (\S+)$`)
)

// inWordsOfTheAPI puts what the parser says into the sentences in which the API says it. Places,
// names, types and reasons are those of the parser.
func inWordsOfTheAPI(problem string) string {
	at := func(place string) string {
		if place == "" {
			return ""
		}
		return " at '" + place + "'"
	}
	if m := wrongValue.FindStringSubmatch(problem); m != nil {
		return "Invalid value" + at(m[1]) + " (" + m[3] + "), " + m[2]
	}
	if m := wrongName.FindStringSubmatch(problem); m != nil {
		return `Invalid JSON payload received. Unknown name "` + m[2] + `"` + at(m[1]) + ": " + m[3]
	}
	return problem
}
