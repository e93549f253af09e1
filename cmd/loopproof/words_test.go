package main

import (
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/wire"
)

func TestEveryWordIsExplained(t *testing.T) {
	for _, d := range wire.AllDeliveries() {
		if deliveryText(d) == "" {
			t.Errorf("nothing is said about the delivery %s", d)
		}
	}
}

// The help texts fit into a terminal, except for examples, which are not broken.
func TestHelpIsNotTooWide(t *testing.T) {
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		for _, line := range strings.Split(cmd.Long+"\n"+cmd.LocalFlags().FlagUsagesWrapped(helpWidth), "\n") {
			if len(line) > helpWidth+5 { // pflag does not break off a single short word
				t.Errorf("the help of %s has a line of %d characters: %s", cmd.CommandPath(), len(line), line)
			}
		}
		for _, c := range cmd.Commands() {
			check(c)
		}
	}
	check(rootCommand(streams{}))
}

// Every command shows how it is used, also those that the library brings.
func TestEveryCommandHasAnExample(t *testing.T) {
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		if !strings.Contains(cmd.Example, "loopproof ") {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		for _, c := range cmd.Commands() {
			check(c)
		}
	}
	check(rootCommand(streams{}))
}

func TestBaseURL(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:8080":  "http://127.0.0.1:8080",
		"0.0.0.0:8080":    "http://127.0.0.1:8080",
		"[::]:8080":       "http://127.0.0.1:8080",
		"[::1]:8080":      "http://[::1]:8080",
		"192.0.2.1:12345": "http://192.0.2.1:12345",
	} {
		a, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := baseURL(a.String()); got != want {
			t.Errorf("baseURL(%s) = %s, want %s", address, got, want)
		}
	}
}

// Every rule, scenario and profile can be explained.
func TestExplainEverything(t *testing.T) {
	t.Parallel()
	b, err := openBook(&ownFolders{})
	if err != nil {
		t.Fatal(err)
	}
	words := make(chan string)
	var explaining sync.WaitGroup
	for range 32 { // at a time, since the samples of some rules wait as their scenario says
		explaining.Go(func() {
			for word := range words {
				page := streams{}.layout()
				if err := b.explain(t.Context(), page, word); err != nil || page.String() == "" {
					t.Errorf("%s: %v", word, err)
				}
				if says := page.String(); strings.Contains(says, "Unknown request URL") || strings.Contains(says, "paths here are") {
					t.Errorf("%s shows our own 404:\n%s", word, says)
				}
			}
		})
	}
	for _, word := range b.words() {
		words <- word
	}
	close(words)
	explaining.Wait()
	for _, p := range b.profiles {
		page := streams{}.layout()
		b.sampleAnswer(page, p)
		if says := page.String(); strings.Count(says, "An answer with a tool call") != 2 || !strings.Contains(says, "get_weather") {
			t.Errorf("%s does not show two answers with a call of get_weather:\n%s", p.Name, says)
		}
	}
}
