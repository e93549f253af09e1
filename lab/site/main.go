// Site renders the documentation as a website: the pages of the folder docs, and the long pages
// that are made and not committed, which are the requirements in one page, all rules and all profiles in full, the kill matrix,
// the variations, the circumstances, the agreement with real servers, the keys of a profile, what
// was found in each public loop, and what came of bugs and their fixes. Run it in the folder lab:
//
//	go run ./site --out ../site/docs
//
// It renders everything and checks all links first, and writes last. A test does the same.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/loopproof/loopproof/lab/internal/repository"
)

func main() {
	out := flag.String("out", "", "the folder to write to; it is made if it does not exist")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "site: say where to write, and nothing else: go run ./site --out FOLDER")
		os.Exit(2)
	}
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func write(out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := repository.Enter(); err != nil {
		return err
	}
	pages, err := render(os.DirFS("."))
	if err != nil {
		return err
	}
	for name, text := range pages {
		file := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d pages: open %s\n", len(pages), filepath.Join(out, "index.html"))
	return nil
}
