// Google's published protos of generateContent: unknown names and values of other types are refused. The API itself reads JSON by
// an older parser, which also takes one value for a list of one, words of enums in small letters, and texts for flags. What the
// API checks beyond that, such as the order of contents, nobody has published. It listens on the address that
// the first argument names.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	pb "cloud.google.com/go/ai/generativelanguage/apiv1beta/generativelanguagepb"
	"google.golang.org/protobuf/encoding/protojson"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatalf("usage: %s HOST:PORT", os.Args[0])
	}
	http.HandleFunc("POST /v1beta/models/", answer)
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}

func answer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = protojson.Unmarshal(body, new(pb.GenerateContentRequest))
	}
	if err != nil { // in whose words spaces differ from build to build
		w.WriteHeader(http.StatusBadRequest)
		json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": http.StatusBadRequest, "message": strings.ReplaceAll(err.Error(), "\u00a0", " "), "status": "INVALID_ARGUMENT"}})
		return
	}
	io.WriteString(w, `{"candidates":[{"content":{"role":"model","parts":[{"text":"fine"}]},"finishReason":"STOP"}]}`)
}
