package profiles_test

import (
	"encoding/json"
	"fmt"
	"testing/fstest"

	"github.com/loopproof/loopproof/profiles"
)

func ExampleGet() {
	p, err := profiles.Get("deepseek")
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Name(), p.Dialect())

	_, err = profiles.Get("depseek")
	fmt.Println(err != nil)
	// Output:
	// deepseek chat
	// true
}

func ExampleAll() {
	for _, p := range profiles.All() {
		if p.Name() == "anthropic" {
			fmt.Println(p.Dialect())
		}
	}
	// Output:
	// messages
}

// A profile is based on another one, and states only the differences.
func ExampleParse() {
	p, err := profiles.Parse("our-gateway.yaml", "loopproof: 1\ntitle: Our gateway\nlike: openai\nstatus: {400: 422}\n")
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Name(), "-", p.Title())
	// Output:
	// our-gateway - Our gateway
}

// Load reads a folder, such as os.DirFS("profiles"), and returns its profiles with the embedded ones.
func ExampleLoad() {
	all, err := profiles.Load(fstest.MapFS{"our-gateway.yaml": {Data: []byte("loopproof: 1\ntitle: Our gateway\nlike: openai\n")}})
	if err != nil {
		panic(err)
	}
	for _, p := range all {
		if p.Title() == "Our gateway" {
			fmt.Println(p.Name(), p.Dialect())
		}
	}
	// Output:
	// our-gateway chat
}

func ExampleSchema() {
	var schema struct{ Title string }
	if err := json.Unmarshal(profiles.Schema(), &schema); err != nil {
		panic(err)
	}
	fmt.Println(schema.Title)
	// Output:
	// Loopproof profile
}
