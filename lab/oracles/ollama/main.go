// Asks Ollama what it refuses: its whole server, with a model that says one word. It listens on the
// address of its first argument.
//
// Ollama runs programs of llama.cpp beside its own: llama-quantize copies a model, and llama-server
// runs it. Both are links to this program, which does here what they do.
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"github.com/ollama/ollama/server"
)

func main() {
	var err error
	switch name := filepath.Base(os.Args[0]); {
	case name == "llama-quantize":
		err = copyModel(os.Args[1:])
	case name == "llama-server":
		err = runModel(os.Args[1:])
	case os.Args[1] == "gpu-discover": // Ollama asks its own program for devices, and there are none
	default:
		err = serve(os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}

// serve serves Ollama, once it has a model.
func serve(address string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	for _, name := range []string{"llama-quantize", "llama-server"} {
		link := filepath.Join(filepath.Dir(program), name)
		if err := os.Symlink(program, link); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	home, err := os.MkdirTemp("", "ollama")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	for name, value := range map[string]string{"HOME": home, "OLLAMA_MODELS": filepath.Join(home, "models"), "OLLAMA_NO_CLOUD": "1"} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	first, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(first) }()
	if err := makeModel("http://" + first.Addr().String()); err != nil {
		return err
	}
	go func() { ended <- http.ListenAndServe(address, nil) }() // Ollama's handler is the default one
	return <-ended
}

// makeModel makes the model m.
func makeModel(url string) error {
	file := modelFile()
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(file))
	return cmp.Or(
		post(url+"/api/blobs/"+digest, file),
		post(url+"/api/create", fmt.Appendf(nil, `{"model":"m","files":{"m.gguf":%q},"stream":false}`, digest)),
	)
}

func post(url string, body []byte) error {
	answer, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if said, _ := io.ReadAll(answer.Body); answer.StatusCode >= 400 {
		return fmt.Errorf("%s: %s", url, said)
	}
	return nil
}
