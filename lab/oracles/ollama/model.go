package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
)

// modelFile returns a model in the format GGUF without weights. Its template names tools and
// thinking, so that Ollama takes requests with both.
func modelFile() []byte {
	var file bytes.Buffer
	write := func(values ...any) {
		for _, v := range values {
			binary.Write(&file, binary.LittleEndian, v)
		}
	}
	const text = uint32(8)
	said := func(s string) { write(uint64(len(s)), []byte(s)) }
	write([]byte("GGUF"), uint32(3), uint64(0), uint64(2))
	said("general.architecture")
	write(text)
	said("llama")
	said("tokenizer.chat_template")
	write(text)
	said("{{ tools }}<think></think>")
	return file.Bytes()
}

// copyModel copies the first file of the arguments to the second.
func copyModel(args []string) error {
	files := slices.DeleteFunc(args, func(a string) bool { return !strings.Contains(a, string(os.PathSeparator)) })
	model, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	return os.WriteFile(files[1], model, 0o644)
}

// runModel serves a model that says one word. Without a model Ollama asks for the devices of the
// machine: there are none.
func runModel(args []string) error {
	if !slices.Contains(args, "--model") {
		return nil
	}
	port := args[slices.Index(args, "--port")+1]
	for path, says := range map[string]string{
		"/health":              `{"status":"ok"}`,
		"/apply-template":      `{"prompt":"?"}`,
		"/tokenize":            `{"tokens":[1]}`,
		"/completion":          `data: {"content":"fine","stop":true}`,
		"/v1/chat/completions": `data: {"choices":[{"delta":{"content":"fine"},"finish_reason":"stop"}]}`,
	} {
		http.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, says) })
	}
	return http.ListenAndServe("127.0.0.1:"+port, nil)
}
